import{g as e,m as t,o as n}from"./states-CfoPc5SZ.js";import{t as r}from"./live-CYm9J_91.js";import{g as i,t as a}from"./fault-C_NcK__l.js";import{t as o}from"./act-Dx9jFYxL.js";import{a as s}from"./shell-D2b0hmZj.js";import{n as c,t as l}from"./draft-B2XlSFPR.js";var u=class{#e;#t;#n;#r;#i;#a;#o;#s;#c;constructor(e,t,n){this.#i={},this.#o=new Map,this.#s=new Map,this.#c=new Set,this.submit=async e=>{e?.preventDefault();let t=this.values;await this.#t.run(e=>this.#r(t,e),JSON.stringify(t))?(this.#a={},c(`form ${this.#n}`,``),this.#e.requestUpdate()):(await this.#e.updateComplete,this.#e.querySelector(`form [aria-invalid=true]`)?.focus())},this.#m=e=>{let t=e.target;this.set(t.name,t.value)},this.#e=e,this.#n=t,this.#r=n,this.#t=new o(e),this.#a=JSON.parse(l(`form ${t}`)||`{}`)}get busy(){return this.#t.busy}get error(){return this.#t.error}get dirty(){return Object.keys(this.#a).length>0}get changed(){return this.#a}begin(e){this.#i=e}get values(){return{...this.#i,...this.#a}}value(e){return this.values[e]??``}set(e,t){t===(this.#i[e]??``)?delete this.#a[e]:this.#a[e]=t;let n=Object.entries(this.#a).filter(([e])=>!this.#c.has(e));c(`form ${this.#n}`,n.length>0?JSON.stringify(Object.fromEntries(n)):``),this.#e.requestUpdate()}reset(){this.#a={},c(`form ${this.#n}`,``),this.#t.clear()}render(n,r,i,a=`primary`){this.#o=new Map;let o=n();return e`<form class="form" @submit=${this.submit} novalidate>
      ${o}
      ${this.#l()}
      <div class="actions"><button type="submit" class=${a===`primary`?a:t} ?disabled=${this.busy}>${r}</button>
        ${i===void 0?t:s(i)}</div>
    </form>`}#l(){let{error:r}=this.#t,i=r instanceof a?r.fields.filter(e=>!this.#o.has(e.field)):[];return e`<p role="status" class="outcome">${this.#t.done}</p>
      ${r===void 0?t:e`<div class="fault" role="alert"><p>${n(r)}</p>
            ${i.map(t=>e`<p>${t.field}: ${t.detail}</p>`)}
            ${r instanceof a&&r.code===`VERSION_CONFLICT`?this.#u(r):t}</div>`}`}#u(t){let n=i().form,r=t.meta.yours??{},a=t.meta.theirs??{};return e`<table role="table" aria-label=${n.sides}><thead role="rowgroup"><tr role="row">
        ${[n.field,n.yours,n.theirs].map(t=>e`<th role="columnheader" scope="col">${t}</th>`)}</tr></thead>
      <tbody role="rowgroup">${Object.keys(r).map(t=>e`<tr role="row"><th role="rowheader" scope="row">${this.#o.get(t)??t}</th>
          <td role="cell"><span class="label" aria-hidden="true">${n.yours}</span>${this.#d(t,r[t])}</td>
          <td role="cell"><span class="label" aria-hidden="true">${n.theirs}</span>${this.#d(t,a[t])}</td></tr>`)}</tbody></table>
      <div class="actions"><button type="button" @click=${()=>{this.#a.version=String(t.meta.currentVersion),this.submit()}}>${n.saveMine}</button>
        <button type="button" @click=${()=>{this.reset(),this.#e.dispatchEvent(new Event(`wf-taken`))}}>${n.takeTheirs}</button></div>`}#d(e,t){let n=this.#s.get(e)?.(t);return n===void 0?t==null||t===``?i().form.none:String(t):n}says(e,t){this.#s.set(e,t)}text(n,i,a={}){return a.type===`password`&&this.#c.add(n),this.#f(n,i,a,(i,o)=>e`<input id=${this.id(n)} name=${n}
      type=${a.type??`text`} maxlength=${a.most??t} autocomplete=${a.autocomplete??`off`}
      inputmode=${a.inputmode??t} step=${a.type===`number`?`any`:t}
      aria-required=${a.required?`true`:t}
      aria-invalid=${o?`true`:t} aria-describedby=${i}
      .value=${r(this.value(n))} @input=${this.#m}>`)}area(n,i,a={}){return this.#f(n,i,a,(i,o)=>e`<textarea id=${this.id(n)} name=${n} rows="4"
      maxlength=${a.most??t} aria-required=${a.required?`true`:t}
      aria-invalid=${o?`true`:t} aria-describedby=${i}
      .value=${r(this.value(n))} @input=${this.#m}></textarea>`)}choice(n,r,i,a={}){return this.says(n,e=>i.find(([t])=>t===String(e??``))?.[1]),this.#f(n,r,a,(r,o)=>e`<select id=${this.id(n)} name=${n}
      aria-required=${a.required?`true`:t}
      aria-invalid=${o?`true`:t} aria-describedby=${r} @change=${this.#m}>
      ${i.map(([t,r])=>e`<option value=${t} .selected=${t===this.value(n)}>${r}</option>`)}</select>`)}check(n,i,a={}){let o=this.wrong(n,i);return e`<div class="field">
      <label class="check"><input type="checkbox" name=${n} aria-invalid=${o?`true`:t}
        aria-describedby=${`${this.id(n)}-hint ${this.id(n)}-fault`} .checked=${r(this.value(n)===`on`)}
        @change=${e=>this.set(n,e.target.checked?`on`:``)}> ${i}</label>
      ${this.#p(n,a.hint??``,o)}</div>`}around(t,n,r,i={}){let a=this.wrong(t,n);return i.shows&&this.says(t,i.shows),e`<div class="field">${r}${this.#p(t,i.hint??``,a)}</div>`}wrong(e,t){return this.#o.set(e,t),this.#t.error instanceof a?this.#t.error.of(e):``}id(e){return`${this.#n}-${e}`.replaceAll(` `,`-`)}#f(t,n,r,i){let a=this.id(t),o=this.wrong(t,n);return r.shows&&this.says(t,r.shows),e`<div class="field"><label for=${a}>${n}</label>
      ${i(`${a}-hint ${a}-fault`,o!==``)}
      ${this.#p(t,r.hint??``,o)}</div>`}#p(t,n,r){let i=this.id(t);return e`<p id="${i}-hint" class="hint" ?hidden=${n===``}>${n}</p>
      <p id="${i}-fault" class="fault" ?hidden=${r===``}>${r}</p>`}#m};function d(e){return e?.trim()||null}function f(e){let t=e?.trim().replace(`,`,`.`)??``;return t===``?null:Number(t)}export{f as n,d as r,u as t};