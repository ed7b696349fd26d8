import{M as e,P as t,o as n,w as r}from"./states-BCgwKv1H.js";import{t as i}from"./live-BvBuke26.js";import{_ as a,a as o,t as s}from"./fault-BKuIzozI.js";import{t as c}from"./act-B_IzRXXZ.js";import{a as l}from"./shell-D7X1jFqo.js";import{n as u,t as d}from"./draft-CUZc9kIQ.js";var f=class{#e;#t;#n;#r;#i;#a;#o;#s;#c;#l;#u;#d;constructor(e,t,n,r=!1){this.#a={},this.#s=new Map,this.#c=new Map,this.#l=new Set,this.#u=new Set,this.#d=new Set,this.submit=async e=>{e?.preventDefault();let t=this.values;this.#d.clear(),await this.#t.run(async e=>(this.#i&&this.#f(t),await this.#r(t,e)),JSON.stringify(t))?(this.#o={},u(`form ${this.#n}`,``),this.#e.requestUpdate()):(await this.#e.updateComplete,this.#e.querySelector(`form [aria-invalid=true]`)?.focus())},this.#v=e=>{let t=e.target;this.set(t.name,t.value)},this.#e=e,this.#n=t,this.#r=n,this.#i=r,this.#t=new c(e),this.#o=JSON.parse(d(`form ${t}`)||`{}`)}get busy(){return this.#t.busy}get error(){let{error:e}=this.#t;return this.#d.size===0||!(e instanceof s)||e.code===`VERSION_CONFLICT`||e.fields.some(e=>!this.#d.has(e.field))?e:void 0}get dirty(){return Object.keys(this.#o).length>0}get changed(){return this.#o}begin(e){this.#a=e}get values(){return{...this.#a,...this.#o}}value(e){return this.values[e]??``}set(e,t){t===(this.#a[e]??``)?delete this.#o[e]:this.#o[e]=t;let n=Object.entries(this.#o).filter(([e])=>!this.#l.has(e));u(`form ${this.#n}`,n.length>0?JSON.stringify(Object.fromEntries(n)):``),this.#d.add(e),this.#e.requestUpdate()}reset(){this.#o={},u(`form ${this.#n}`,``),this.#t.clear()}#f(e){let t=[...this.#u].filter(t=>(e[t]??``).trim()===``);if(t.length===0)return;let n=a().form,r=t.map(e=>({field:e,code:`VALIDATION_FAILED`,detail:n.required}));throw new s(n.check,{code:`VALIDATION_FAILED`,errors:r})}render(n,r,i,o=`primary`){this.#s=new Map,this.#u=new Set;let s=n(),c=this.#u.size>0&&this.#s.size>1;return t`<form class="form" @submit=${this.submit} novalidate>
      ${c?t`<p class="hint">${a().form.marked}</p>`:e}
      ${s}
      ${this.#p()}
      <div class="actions"><button type="submit" class=${o===`primary`?o:e} ?disabled=${this.busy}>${r}</button>
        ${i===void 0?e:l(i)}</div>
    </form>`}#p(){let{error:i}=this,c=i instanceof s?i.fields:[],l=c.filter(e=>!this.#s.has(e.field)),u=l.length<c.length?a().form.check:``,d=l.filter(e=>e.detail!==i.message);return t`<p role="status" class="outcome">${this.#t.done}</p>
      ${i===void 0?e:t`<div class="fault" role="alert"><p>${o(i)?u:n(i)}</p>
            ${d.map(e=>t`<p>${e.field}: ${r(e.detail)}</p>`)}
            ${i instanceof s&&i.code===`VERSION_CONFLICT`?this.#m(i):e}</div>`}`}#m(e){let n=a().form,r=e.meta.yours??{},i=e.meta.theirs??{};return t`<table role="table" aria-label=${n.sides}><thead role="rowgroup"><tr role="row">
        ${[n.field,n.yours,n.theirs].map(e=>t`<th role="columnheader" scope="col">${e}</th>`)}</tr></thead>
      <tbody role="rowgroup">${Object.keys(r).map(e=>t`<tr role="row"><th role="rowheader" scope="row">${this.#s.get(e)??e}</th>
          <td role="cell"><span class="label" aria-hidden="true">${n.yours}</span>${this.#h(e,r[e])}</td>
          <td role="cell"><span class="label" aria-hidden="true">${n.theirs}</span>${this.#h(e,i[e])}</td></tr>`)}</tbody></table>
      <div class="actions"><button type="button" @click=${()=>{this.#o.version=String(e.meta.currentVersion),this.submit()}}>${n.saveMine}</button>
        <button type="button" @click=${()=>{this.reset(),this.#e.dispatchEvent(new Event(`wf-taken`))}}>${n.takeTheirs}</button></div>`}#h(e,t){let n=this.#c.get(e)?.(t);return n===void 0?t==null||t===``?a().form.none:String(t):n}says(e,t){this.#c.set(e,t)}text(n,r,a={}){return a.type===`password`&&this.#l.add(n),this.#g(n,r,a,(r,o)=>t`<input id=${this.id(n)} name=${n}
      type=${a.type??`text`} maxlength=${a.most??e} autocomplete=${a.autocomplete??`off`}
      inputmode=${a.inputmode??e} step=${a.type===`number`?`any`:e}
      aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${r}
      .value=${i(this.value(n))} @input=${this.#v}>`)}area(n,r,a={}){return this.#g(n,r,a,(r,o)=>t`<textarea id=${this.id(n)} name=${n} rows="4"
      maxlength=${a.most??e} aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${r}
      .value=${i(this.value(n))} @input=${this.#v}></textarea>`)}choice(n,r,i,a={}){return this.says(n,e=>i.find(([t])=>t===String(e??``))?.[1]),this.#g(n,r,a,(r,o)=>t`<select id=${this.id(n)} name=${n}
      aria-required=${a.required?`true`:e}
      aria-invalid=${o?`true`:e} aria-describedby=${r} @change=${this.#v}>
      ${i.map(([e,r])=>t`<option value=${e} .selected=${e===this.value(n)}>${r}</option>`)}</select>`)}check(n,r,a={}){let o=this.wrong(n,r);return t`<div class="field">
      <label class="check"><input type="checkbox" name=${n} aria-invalid=${o?`true`:e}
        aria-describedby=${`${this.id(n)}-hint ${this.id(n)}-fault`} .checked=${i(this.value(n)===`on`)}
        @change=${e=>this.set(n,e.target.checked?`on`:``)}> ${r}</label>
      ${this.#_(n,a.hint??``,o)}</div>`}around(e,n,r,i={}){let a=this.wrong(e,n);return i.shows&&this.says(e,i.shows),t`<div class="field">${r}${this.#_(e,i.hint??``,a)}</div>`}wrong(e,t){this.#s.set(e,t);let{error:n}=this;return n instanceof s&&!this.#d.has(e)?r(n.of(e)):``}id(e){return`${this.#n}-${e}`.replaceAll(` `,`-`)}#g(n,r,i,a){let o=this.id(n),s=this.wrong(n,r);return i.shows&&this.says(n,i.shows),i.required&&this.#u.add(n),t`<div class="field"><label for=${o} class=${i.required?`required`:e}>${r}</label>
      ${a(`${o}-hint ${o}-fault`,s!==``)}
      ${this.#_(n,i.hint??``,s)}</div>`}#_(e,n,r){let i=this.id(e);return t`<p id="${i}-hint" class="hint" ?hidden=${n===``}>${n}</p>
      <p id="${i}-fault" class="fault" ?hidden=${r===``}>${r}</p>`}#v};function p(e){return e?.trim()||null}function m(e){let t=e?.trim().replace(`,`,`.`)??``;return t===``?null:Number(t)}export{m as n,p as r,f as t};