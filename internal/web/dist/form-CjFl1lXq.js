import{f as e,i as t,m as n}from"./states-B6lI2UGd.js";import{t as r}from"./live-jYI1jkLU.js";import{g as i,t as a}from"./fault-D_OmoDm8.js";import{t as o}from"./act-z7Q-1y4u.js";import{i as s}from"./shell-Dd0lIuSn.js";import{n as c,t as l}from"./draft-CZdINhix.js";var u=class{#e;#t;#n;#r;#i;#a;#o;#s;#c;constructor(e,t,n){this.#i={},this.#o=new Map,this.#s=new Map,this.#c=new Set,this.submit=async e=>{e?.preventDefault();let t=this.values;await this.#t.run(e=>this.#r(t,e),JSON.stringify(t))?(this.#a={},c(`form ${this.#n}`,``),this.#e.requestUpdate()):(await this.#e.updateComplete,this.#e.querySelector(`form [aria-invalid=true]`)?.focus())},this.#m=e=>{let t=e.target;this.set(t.name,t.value)},this.#e=e,this.#n=t,this.#r=n,this.#t=new o(e),this.#a=JSON.parse(l(`form ${t}`)||`{}`)}get busy(){return this.#t.busy}get error(){return this.#t.error}get dirty(){return Object.keys(this.#a).length>0}get changed(){return this.#a}begin(e){this.#i=e}get values(){return{...this.#i,...this.#a}}value(e){return this.values[e]??``}set(e,t){t===(this.#i[e]??``)?delete this.#a[e]:this.#a[e]=t;let n=Object.entries(this.#a).filter(([e])=>!this.#c.has(e));c(`form ${this.#n}`,n.length>0?JSON.stringify(Object.fromEntries(n)):``),this.#e.requestUpdate()}reset(){this.#a={},c(`form ${this.#n}`,``),this.#t.clear()}render(t,r,i,a=`primary`){this.#o=new Map;let o=t();return n`<form class="form" @submit=${this.submit} novalidate>
      ${o}
      ${this.#l()}
      <div class="actions"><button type="submit" class=${a===`primary`?a:e} ?disabled=${this.busy}>${r}</button>
        ${i===void 0?e:s(i)}</div>
    </form>`}#l(){let{error:r}=this.#t,i=r instanceof a?r.fields.filter(e=>!this.#o.has(e.field)):[];return n`<p role="status" class="outcome">${this.#t.done}</p>
      ${r===void 0?e:n`<div class="fault" role="alert"><p>${t(r)}</p>
            ${i.map(e=>n`<p>${e.field}: ${e.detail}</p>`)}
            ${r instanceof a&&r.code===`VERSION_CONFLICT`?this.#u(r):e}</div>`}`}#u(e){let t=i().form,r=e.meta.yours??{},a=e.meta.theirs??{};return n`<table role="table" aria-label=${t.sides}><thead role="rowgroup"><tr role="row">
        ${[t.field,t.yours,t.theirs].map(e=>n`<th role="columnheader" scope="col">${e}</th>`)}</tr></thead>
      <tbody role="rowgroup">${Object.keys(r).map(e=>n`<tr role="row"><th role="rowheader" scope="row">${this.#o.get(e)??e}</th>
          <td role="cell"><span class="label" aria-hidden="true">${t.yours}</span>${this.#d(e,r[e])}</td>
          <td role="cell"><span class="label" aria-hidden="true">${t.theirs}</span>${this.#d(e,a[e])}</td></tr>`)}</tbody></table>
      <div class="actions"><button type="button" @click=${()=>{this.#a.version=String(e.meta.currentVersion),this.submit()}}>${t.saveMine}</button>
        <button type="button" @click=${()=>{this.reset(),this.#e.dispatchEvent(new Event(`wf-taken`))}}>${t.takeTheirs}</button></div>`}#d(e,t){let n=this.#s.get(e)?.(t);return n===void 0?t==null||t===``?i().form.none:String(t):n}says(e,t){this.#s.set(e,t)}text(t,i,a={}){return a.type===`password`&&this.#c.add(t),this.#f(t,i,a,(i,o)=>n`<input id=${this.id(t)} name=${t}
      type=${a.type??`text`} maxlength=${a.most??e} autocomplete=${a.autocomplete??`off`}
      inputmode=${a.inputmode??e} step=${a.type===`number`?`any`:e}
      aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${i}
      .value=${r(this.value(t))} @input=${this.#m}>`)}area(t,i,a={}){return this.#f(t,i,a,(i,o)=>n`<textarea id=${this.id(t)} name=${t} rows="4"
      maxlength=${a.most??e} aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${i}
      .value=${r(this.value(t))} @input=${this.#m}></textarea>`)}choice(t,r,i,a={}){return this.says(t,e=>i.find(([t])=>t===String(e??``))?.[1]),this.#f(t,r,a,(r,o)=>n`<select id=${this.id(t)} name=${t}
      aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${r} @change=${this.#m}>
      ${i.map(([e,r])=>n`<option value=${e} .selected=${e===this.value(t)}>${r}</option>`)}</select>`)}check(t,i,a={}){let o=this.wrong(t,i);return n`<div class="field">
      <label class="check"><input type="checkbox" name=${t} aria-invalid=${o?`true`:e}
        aria-describedby=${`${this.id(t)}-hint ${this.id(t)}-fault`} .checked=${r(this.value(t)===`on`)}
        @change=${e=>this.set(t,e.target.checked?`on`:``)}> ${i}</label>
      ${this.#p(t,a.hint??``,o)}</div>`}around(e,t,r,i={}){let a=this.wrong(e,t);return i.shows&&this.says(e,i.shows),n`<div class="field">${r}${this.#p(e,i.hint??``,a)}</div>`}wrong(e,t){return this.#o.set(e,t),this.#t.error instanceof a?this.#t.error.of(e):``}id(e){return`${this.#n}-${e}`.replaceAll(` `,`-`)}#f(e,t,r,i){let a=this.id(e),o=this.wrong(e,t);return r.shows&&this.says(e,r.shows),n`<div class="field"><label for=${a}>${t}</label>
      ${i(`${a}-hint ${a}-fault`,o!==``)}
      ${this.#p(e,r.hint??``,o)}</div>`}#p(e,t,r){let i=this.id(e);return n`<p id="${i}-hint" class="hint" ?hidden=${t===``}>${t}</p>
      <p id="${i}-fault" class="fault" ?hidden=${r===``}>${r}</p>`}#m};function d(e){return e?.trim()||null}function f(e){let t=e?.trim().replace(`,`,`.`)??``;return t===``?null:Number(t)}export{f as n,d as r,u as t};