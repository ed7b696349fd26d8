/* Workforce widgets. Lit: copyright Google LLC, BSD-3-Clause; licences at /app/licenses.txt. */
if (!customElements.get("workforce-ticket")) {
var e=globalThis,t=e.ShadowRoot&&(e.ShadyCSS===void 0||e.ShadyCSS.nativeShadow)&&`adoptedStyleSheets`in Document.prototype&&`replace`in CSSStyleSheet.prototype,n=Symbol(),r=new WeakMap,i=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==n)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,n=this.t;if(t&&e===void 0){let t=n!==void 0&&n.length===1;t&&(e=r.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),t&&r.set(n,e))}return e}toString(){return this.cssText}},a=e=>new i(typeof e==`string`?e:e+``,void 0,n),o=(e,...t)=>new i(e.length===1?e[0]:t.reduce((t,n,r)=>t+(e=>{if(!0===e._$cssResult$)return e.cssText;if(typeof e==`number`)return e;throw Error(`Value passed to 'css' function must be a 'css' function result: `+e+`. Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.`)})(n)+e[r+1],e[0]),e,n),s=(n,r)=>{if(t)n.adoptedStyleSheets=r.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let t of r){let r=document.createElement(`style`),i=e.litNonce;i!==void 0&&r.setAttribute(`nonce`,i),r.textContent=t.cssText,n.appendChild(r)}},c=t?e=>e:e=>e instanceof CSSStyleSheet?(e=>{let t=``;for(let n of e.cssRules)t+=n.cssText;return a(t)})(e):e,{is:l,defineProperty:u,getOwnPropertyDescriptor:d,getOwnPropertyNames:ee,getOwnPropertySymbols:te,getPrototypeOf:ne}=Object,f=globalThis,p=f.trustedTypes,re=p?p.emptyScript:``,ie=f.reactiveElementPolyfillSupport,m=(e,t)=>e,h={toAttribute(e,t){switch(t){case Boolean:e=e?re:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},g=(e,t)=>!l(e,t),_={attribute:!0,type:String,converter:h,reflect:!1,useDefault:!1,hasChanged:g};Symbol.metadata??=Symbol(`metadata`),f.litPropertyMetadata??=new WeakMap;var v=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=_){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&u(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=d(this.prototype,e)??{get(){return this[t]},set(e){this[t]=e}};return{get:r,set(t){let a=r?.call(this);i?.call(this,t),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??_}static _$Ei(){if(this.hasOwnProperty(m(`elementProperties`)))return;let e=ne(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(m(`finalized`)))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(m(`properties`))){let e=this.properties,t=[...ee(e),...te(e)];for(let n of t)this.createProperty(n,e[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[e,n]of t)this.elementProperties.set(e,n)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let n=this._$Eu(e,t);n!==void 0&&this._$Eh.set(n,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let e of n)t.unshift(c(e))}else e!==void 0&&t.push(c(e));return t}static _$Eu(e,t){let n=t.attribute;return!1===n?void 0:typeof n==`string`?n:typeof e==`string`?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return s(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&!0===n.reflect){let i=(n.converter?.toAttribute===void 0?h:n.converter).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let e=n.getPropertyOptions(r),i=typeof e.converter==`function`?{fromAttribute:e.converter}:e.converter?.fromAttribute===void 0?h:e.converter;this._$Em=r;let a=i.fromAttribute(t,e.type);this[r]=a??this._$Ej?.get(r)??a,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let a=this.constructor;if(!1===r&&(i=this[e]),n??=a.getPropertyOptions(e),!((n.hasChanged??g)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(a._$Eu(e,n))))return;this.C(e,t,n)}!1===this.isUpdatePending&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},a){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,a??t??this[e]),!0!==i||a!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),!0===r&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[e,t]of this._$Ep)this[e]=t;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[t,n]of e){let{wrapped:e}=n,r=this[t];!0!==e||this._$AL.has(t)||r===void 0||this.C(t,void 0,n,r)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(t){throw e=!1,this._$EM(),t}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(e){}firstUpdated(e){}};v.elementStyles=[],v.shadowRootOptions={mode:`open`},v[m(`elementProperties`)]=new Map,v[m(`finalized`)]=new Map,ie?.({ReactiveElement:v}),(f.reactiveElementVersions??=[]).push(`2.1.2`);var y=globalThis,ae=e=>e,b=y.trustedTypes,oe=b?b.createPolicy(`lit-html`,{createHTML:e=>e}):void 0,x=`$lit$`,S=`lit$${Math.random().toFixed(9).slice(2)}$`,C=`?`+S,se=`<${C}>`,w=document,T=()=>w.createComment(``),E=e=>e===null||typeof e!=`object`&&typeof e!=`function`,D=Array.isArray,ce=e=>D(e)||typeof e?.[Symbol.iterator]==`function`,O=`[ 	
\f\r]`,k=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,A=/-->/g,le=/>/g,j=RegExp(`>|${O}(?:([^\\s"'>=/]+)(${O}*=${O}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),ue=/'/g,de=/"/g,fe=/^(?:script|style|textarea|title)$/i,M=(e=>(t,...n)=>({_$litType$:e,strings:t,values:n}))(1),N=Symbol.for(`lit-noChange`),P=Symbol.for(`lit-nothing`),F=new WeakMap,I=w.createTreeWalker(w,129);function L(e,t){if(!D(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return oe===void 0?t:oe.createHTML(t)}var pe=(e,t)=>{let n=e.length-1,r=[],i,a=t===2?`<svg>`:t===3?`<math>`:``,o=k;for(let t=0;t<n;t++){let n=e[t],s,c,l=-1,u=0;for(;u<n.length&&(o.lastIndex=u,c=o.exec(n),c!==null);)u=o.lastIndex,o===k?c[1]===`!--`?o=A:c[1]===void 0?c[2]===void 0?c[3]!==void 0&&(o=j):(fe.test(c[2])&&(i=RegExp(`</`+c[2],`g`)),o=j):o=le:o===j?c[0]===`>`?(o=i??k,l=-1):c[1]===void 0?l=-2:(l=o.lastIndex-c[2].length,s=c[1],o=c[3]===void 0?j:c[3]===`"`?de:ue):o===de||o===ue?o=j:o===A||o===le?o=k:(o=j,i=void 0);let d=o===j&&e[t+1].startsWith(`/>`)?` `:``;a+=o===k?n+se:l>=0?(r.push(s),n.slice(0,l)+x+n.slice(l)+S+d):n+S+(l===-2?t:d)}return[L(e,a+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]},R=class e{constructor({strings:t,_$litType$:n},r){let i;this.parts=[];let a=0,o=0,s=t.length-1,c=this.parts,[l,u]=pe(t,n);if(this.el=e.createElement(l,r),I.currentNode=this.el.content,n===2||n===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(i=I.nextNode())!==null&&c.length<s;){if(i.nodeType===1){if(i.hasAttributes())for(let e of i.getAttributeNames())if(e.endsWith(x)){let t=u[o++],n=i.getAttribute(e).split(S),r=/([.?@])?(.*)/.exec(t);c.push({type:1,index:a,name:r[2],strings:n,ctor:r[1]===`.`?he:r[1]===`?`?ge:r[1]===`@`?_e:V}),i.removeAttribute(e)}else e.startsWith(S)&&(c.push({type:6,index:a}),i.removeAttribute(e));if(fe.test(i.tagName)){let e=i.textContent.split(S),t=e.length-1;if(t>0){i.textContent=b?b.emptyScript:``;for(let n=0;n<t;n++)i.append(e[n],T()),I.nextNode(),c.push({type:2,index:++a});i.append(e[t],T())}}}else if(i.nodeType===8){if(i.data===C)c.push({type:2,index:a});else{let e=-1;for(;(e=i.data.indexOf(S,e+1))!==-1;)c.push({type:7,index:a}),e+=S.length-1}}a++}}static createElement(e,t){let n=w.createElement(`template`);return n.innerHTML=e,n}};function z(e,t,n=e,r){if(t===N)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=E(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=z(e,i._$AS(e,t.values),i,r)),t}var me=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??w).importNode(t,!0);I.currentNode=r;let i=I.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new B(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new ve(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=I.nextNode(),a++)}return I.currentNode=w,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},B=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=P,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=z(this,e,t),E(e)?e===P||e==null||e===``?(this._$AH!==P&&this._$AR(),this._$AH=P):e!==this._$AH&&e!==N&&this._(e):e._$litType$===void 0?e.nodeType===void 0?ce(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==P&&E(this._$AH)?this._$AA.nextSibling.data=e:this.T(w.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=R.createElement(L(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new me(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=F.get(e.strings);return t===void 0&&F.set(e.strings,t=new R(e)),t}k(t){D(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(T()),this.O(T()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let t=ae(e).nextSibling;ae(e).remove(),e=t}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},V=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=P,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=P}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=z(this,e,t,0),a=!E(e)||e!==this._$AH&&e!==N,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=z(this,r[n+o],t,o),s===N&&(s=this._$AH[o]),a||=!E(s)||s!==this._$AH[o],s===P?e=P:e!==P&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===P?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},he=class extends V{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===P?void 0:e}},ge=class extends V{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==P)}},_e=class extends V{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=z(this,e,t,0)??P)===N)return;let n=this._$AH,r=e===P&&n!==P||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==P&&(n===P||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ve=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){z(this,e)}},ye=y.litHtmlPolyfillSupport;ye?.(R,B),(y.litHtmlVersions??=[]).push(`3.3.3`);var be=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new B(t.insertBefore(T(),e),e,void 0,n??{})}return i._$AI(e),i},H=globalThis,U=class extends v{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=be(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return N}};U._$litElement$=!0,U.finalized=!0,H.litElementHydrateSupport?.({LitElement:U});var xe=H.litElementPolyfillSupport;xe?.({LitElement:U}),(H.litElementVersions??=[]).push(`4.2.2`);var W={en:`en-GB`,id:`id-ID`},G=new Map;function K(e,t){let n=G.get(e)??t();return G.set(e,n),n}function q(e,t){return K(e+JSON.stringify(t),()=>new Intl.DateTimeFormat(W[e],t))}var Se={weekday:`short`,day:`numeric`,month:`short`},Ce=`UTC`;function we(e,t){return q(t,{...Se,timeZone:Ce}).format(new Date(`${e}T00:00:00Z`))}function Te(e,t,n){return q(n,{day:`numeric`,month:`short`,year:`numeric`,timeZone:Ce}).formatRange(new Date(`${e}T00:00:00Z`),new Date(`${t}T00:00:00Z`))}function Ee(e,t){return q(t,{...Se,hour:`2-digit`,minute:`2-digit`}).format(new Date(e))}function De(e,t){let n=Math.floor(e/60),r=[];return n>=60&&r.push(Oe(Math.floor(n/60),`hour`,t)),(n%60>0||n<60)&&r.push(Oe(n%60,`minute`,t)),r.join(` `)}function Oe(e,t,n){return K(n+t,()=>new Intl.NumberFormat(W[n],{style:`unit`,unit:t,unitDisplay:`short`})).format(e)}function ke(e,t){return K(t,()=>new Intl.NumberFormat(W[t])).format(e)}var Ae={en:{loading:`Loading…`,retry:`Try again`,requestId:`Request`,old:`Not up to date.`,timesheet:{title:`Working time`,empty:`No days in this period.`,day:`Day`,worked:`Worked`,status:`Status`,total:`Total`,statuses:{none:`–`,present:`Present`,half_day:`Half day`,absent:`Absent`,on_leave:`On leave`,work_from_home:`From home`,holiday:`Holiday`,weekly_off:`Off`,needs_confirmation:`To confirm`}},tasks:{title:`My tasks`,empty:`Nothing to do.`,list:`Tasks to do`,open:`Open`,inProgress:`In progress`,overdue:`Overdue`,doneToday:`Done today`,statuses:{open:`Open`,in_progress:`In progress`,done:`Done`,cancelled:`Cancelled`},running:`Timer running`},ticket:{title:`Tickets`,empty:`No tickets.`,list:`Newest tickets`,open:`Open`,inProgress:`In progress`,resolvedToday:`Resolved today`,statuses:{open:`Open`,in_progress:`In progress`,resolved:`Resolved`,closed:`Closed`}},priorities:{low:`Low`,normal:`Normal`,high:`High`,urgent:`Urgent`},priority:e=>`Priority: ${e}`,due:e=>`Due ${e}`,late:e=>`Overdue since ${e}`,faults:{UNAUTHENTICATED:`Access has ended. Load the page anew, or sign in again.`,NO_TOKEN:`This page has given no access.`,FORBIDDEN:`You may not see this here.`,NOT_FOUND:`There is nothing here that you may see.`,RATE_LIMITED:`Too many requests. It goes on by itself.`,UNAVAILABLE:`The server is busy. It goes on by itself.`,UNREACHABLE:`The server cannot be reached, or does not allow this page.`,BAD_ENDPOINT:`The address of the server is not valid.`,INTERNAL:`Something went wrong.`}},id:{loading:`Memuat…`,retry:`Coba lagi`,requestId:`Permintaan`,old:`Belum diperbarui.`,timesheet:{title:`Waktu kerja`,empty:`Tidak ada hari di periode ini.`,day:`Hari`,worked:`Bekerja`,status:`Status`,total:`Jumlah`,statuses:{none:`–`,present:`Hadir`,half_day:`Setengah hari`,absent:`Tidak hadir`,on_leave:`Cuti`,work_from_home:`Dari rumah`,holiday:`Libur`,weekly_off:`Libur mingguan`,needs_confirmation:`Perlu konfirmasi`}},tasks:{title:`Tugas saya`,empty:`Tidak ada tugas.`,list:`Tugas yang belum selesai`,open:`Terbuka`,inProgress:`Dikerjakan`,overdue:`Terlambat`,doneToday:`Selesai hari ini`,statuses:{open:`Terbuka`,in_progress:`Dikerjakan`,done:`Selesai`,cancelled:`Dibatalkan`},running:`Timer berjalan`},ticket:{title:`Tiket`,empty:`Tidak ada tiket.`,list:`Tiket terbaru`,open:`Terbuka`,inProgress:`Dikerjakan`,resolvedToday:`Teratasi hari ini`,statuses:{open:`Terbuka`,in_progress:`Dikerjakan`,resolved:`Teratasi`,closed:`Ditutup`}},priorities:{low:`Rendah`,normal:`Normal`,high:`Tinggi`,urgent:`Mendesak`},priority:e=>`Prioritas: ${e}`,due:e=>`Tenggat ${e}`,late:e=>`Terlambat sejak ${e}`,faults:{UNAUTHENTICATED:`Akses sudah berakhir. Muat ulang halaman ini, atau masuk lagi.`,NO_TOKEN:`Halaman ini tidak memberikan akses.`,FORBIDDEN:`Anda tidak boleh melihat ini di sini.`,NOT_FOUND:`Tidak ada yang boleh Anda lihat di sini.`,RATE_LIMITED:`Terlalu banyak permintaan. Akan lanjut sendiri.`,UNAVAILABLE:`Server sedang sibuk. Akan lanjut sendiri.`,UNREACHABLE:`Server tidak dapat dihubungi, atau tidak mengizinkan halaman ini.`,BAD_ENDPOINT:`Alamat server tidak valid.`,INTERNAL:`Terjadi kesalahan.`}}},je=e=>Ae[e],Me=e=>/^id(-|$)/i.test(e)?`id`:`en`;function Ne(e){return e.parentElement??e.getRootNode().host??null}function Pe(e){for(let t=e;t;t=Ne(t)){let e=t.getAttribute(`lang`);if(e)return Me(e)}return`en`}var J=new Set,Y;function Fe(e){return J.add(e),Y||(Y=new MutationObserver(()=>{for(let e of J)e()}),Y.observe(document,{attributes:!0,subtree:!0,attributeFilter:[`lang`]})),()=>{J.delete(e),J.size>0||(Y?.disconnect(),Y=void 0)}}function Ie(e){let t=1;for(let n of e.getRootNode().querySelectorAll(`h1, h2, h3, h4, h5, h6`)){if(!(n.compareDocumentPosition(e)&Node.DOCUMENT_POSITION_FOLLOWING))break;t=Number(n.localName[1])}return Math.min(6,t+1)}var Le=`UNREACHABLE`,X=`NO_TOKEN`,Re=`BAD_ENDPOINT`,ze=`UNAUTHENTICATED`;function Z(e,t){return{code:e,message:``,requestId:``,retryAfter:0,passing:t}}async function Be(e,t){let n=await e.json().catch(()=>null),{status:r,headers:i}=e,a=typeof n?.code==`string`;return{code:a?n.code:Ve[r]??(r>=500?`UNAVAILABLE`:`INTERNAL`),message:a&&He(n)||``,requestId:n?.requestId??i.get(`X-Req-Id`)??``,retryAfter:Ue(i.get(`Retry-After`),t),passing:r>=500||r===429||r===408}}var Ve={401:ze,403:`FORBIDDEN`,404:`NOT_FOUND`,429:`RATE_LIMITED`};function He({detail:e,errors:t}){return[e,...(t??[]).map(e=>`${e.field}: ${e.detail}`)].filter(Boolean).join(` `)}function Ue(e,t){if(!e)return 0;let n=Number(e),r=Number.isNaN(n)?Date.parse(e)-t:n*1e3;return r>0?Math.min(r,36e5):0}var We=3e4,Ge=3e5,Ke=3e4,qe=class{#e;#t;#n;#r;#i;#a;constructor(e,t){this.due=0,this.at=0,this.#e=0,this.#n=new AbortController,this.#r=new Set,this.#i=e,this.#a=t}join(e){this.#r.add(e)}leave(e){this.#r.delete(e),this.#r.size>0||(this.#n.abort(),Q.get(this.#i)===this&&Q.delete(this.#i))}send(){Date.now()<this.due||(this.#t??=this.#o().finally(()=>{this.#t=void 0}))}async#o(){let e=new AbortController,t=()=>e.abort(),n=setTimeout(t,Ke);this.#n.signal.addEventListener(`abort`,t);let r;try{r=await this.#s(e.signal)}catch{r=Z(Le,!0)}if(clearTimeout(n),this.#n.signal.removeEventListener(`abort`,t),!this.#n.signal.aborted){this.at=Date.now(),this.#e=r?this.#e+1:0,this.fault=r,r&&!r.passing&&(this.answer=void 0),this.due=this.at+(r?Je(r,this.#e):We);for(let e of[...this.#r])e()}}async#s(e){let{url:t,token:n,language:r}=this.#a,i={Accept:`application/json`,"Accept-Language":r,Authorization:`Bearer ${n}`};this.answer?.etag&&(i[`If-None-Match`]=this.answer.etag);let a=await fetch(t,{headers:i,signal:e,mode:`cors`,credentials:`omit`,cache:`no-store`,redirect:`error`,referrerPolicy:`no-referrer`});if(!(a.status===304&&this.answer)){if(a.status!==200)return await Be(a,Date.now());this.answer={value:await a.json(),etag:a.headers.get(`ETag`)??``}}}};function Je({passing:e,retryAfter:t},n){if(!e)return 1/0;if(n===1&&t>0)return t;let r=Math.min(Ge,We*2**(n-1));return Math.max(t,r*(1+Math.random()/5))}var Q=new Map;function Ye(e,t,n){let r=JSON.stringify([e.url,e.token,e.language]),i=Q.get(r);return i||(i=new qe(r,e),i.answer=t,t&&(i.due=n),Q.set(r,i)),i}function Xe(e){return{until:1/0,renews:!1,token:async()=>e,another:async()=>e}}var Ze=6e4,Qe=15e3,$e=2e3,et=new WeakMap;function tt(e,t){let n=et.get(e)??new Map;et.set(e,n);let r=JSON.stringify(t),i=n.get(r)??new nt(()=>e(t));return n.set(r,i),i}var nt=class{#e;#t;#n;#r;constructor(e){this.renews=!0,this.until=0,this.#e=``,this.#t=0,this.#r=e}async token(){return this.#e&&Date.now()<this.until?this.#e:(this.#n??=this.#i().finally(()=>{this.#n=void 0}),await this.#n)}async another(e){return this.#e===e&&(this.#e=``),await this.token()}async#i(){try{return this.#a(await this.#r())}catch{if(!this.#e||Date.now()>=this.#t)throw Z(X,!0);return this.until=Math.min(Date.now()+Qe,this.#t),this.#e}}#a(e){let{token:t,expiresAt:n}=typeof e==`string`?{token:e}:e;if(typeof t!=`string`||t===``)throw TypeError(`no token`);let r=Date.now(),i=n==null?NaN:new Date(n).getTime();this.#e=t,this.#t=Number.isNaN(i)?1/0:i;let a=this.#t-r;return this.until=r+(a>0?Math.max($e,a-Math.min(Ze,a/2)):Qe),t}};function rt(e){return typeof e==`object`&&!!e&&`passing`in e}var it=5e3,at=5e3,ot=3e5,st=class{#e;#t=!1;#n=0;#r;#i=``;#a=!1;#o=``;#s=0;#c;#l;#u;constructor(e){this.#u=e}want(e){let t=this.#e;(e?.url!==t?.url||e?.source!==t?.source||e?.language!==t?.language)&&(this.#e=e,(e?.url!==t?.url||e?.source!==t?.source)&&this.#y(void 0,void 0),this.#f())}start(){this.#t||(this.#t=!0,document.addEventListener(`visibilitychange`,this.#p),this.#f())}stop(){this.#t=!1,document.removeEventListener(`visibilitychange`,this.#p),this.#d()}retry(){this.#r&&(this.#r.due=0),this.#a=!1,this.#m()}#d(){this.#n++,clearTimeout(this.#c),this.#r?.leave(this.#_),this.#r=void 0,this.#i=this.#o=``,this.#a=!1,this.#s=0}#f(){this.#d(),this.#t&&this.#e&&(this.#e.source?this.#m():this.#c=setTimeout(()=>this.#y(this.value,Z(X,!1)),it))}#p=()=>{if(!this.#e?.source)return;clearTimeout(this.#c);let e=this.#r;document.visibilityState!==`hidden`&&(!e?.fault||e.fault.passing?this.#m():Date.now()-e.at>=3e4&&(e.fault?.code!==`UNAUTHENTICATED`||this.#e.source.renews)&&this.retry())};async#m(){clearTimeout(this.#c);let e=this.#e;if(!this.#t||!e?.source||document.visibilityState===`hidden`)return;let t=++this.#n;try{let n=await(this.#i?e.source.another(this.#i):e.source.token());if(t!==this.#n)return;this.#s=0,this.#i=``,this.#h(n,e)}catch(e){if(t!==this.#n)return;this.#g(rt(e)?e:Z(X,!0))}}#h(e,{url:t,language:n}){let r=this.#l?.value===this.value?this.#l:void 0,i=this.#r?.fault?void 0:this.#r,a=Ye({url:t,language:n,token:e},r,i?.due??0);this.#o=e,a!==this.#r&&(a.join(this.#_),this.#r?.leave(this.#_),this.#r=a),Date.now()<a.due?this.#_():a.send()}#g(e){this.#y(this.value,e),this.#v(Math.min(ot,at*2**this.#s++))}#_=()=>{let{answer:e,fault:t,due:n}=this.#r;t?.code===`UNAUTHENTICATED`&&this.#e?.source?.renews&&(this.#i=this.#o,!this.#a)?(this.#a=!0,this.#m()):(t||(this.#a=!1),this.#l=e,this.#y(t&&!t.passing?void 0:e?.value,t),n<1/0&&this.#v(Math.min(n,this.#e?.source?.until??n)-Date.now()))};#v(e){clearTimeout(this.#c),this.#t&&document.visibilityState!==`hidden`&&(this.#c=setTimeout(()=>void this.#m(),e))}#y(e,t){(e!==this.value||t!==this.fault)&&(this.value=e,this.fault=t,this.#u())}},ct=o`
  :host {
    display: block;
    min-width: 0;
    color-scheme: light dark;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  .widget {
    all: initial; /* nothing of the page is inherited but what it may choose */
    display: block;
    box-sizing: border-box;
    color-scheme: inherit;
    visibility: inherit;
    --ground: var(--workforce-ground, light-dark(#ffffff, #14171a));
    --raised: var(--workforce-raised, light-dark(#f4f5f7, #1e2226));
    --ink: var(--workforce-ink, light-dark(#1b1f23, #e8eaed));
    --faint: var(--workforce-faint, light-dark(#57606a, #a3abb5));
    --line: var(--workforce-line, light-dark(#d0d5db, #3a4149));
    --accent: var(--workforce-accent, light-dark(#0b5cad, #7fb8f5));
    --bad: var(--workforce-bad, light-dark(#b3261e, #ff9d94));
    --space: var(--workforce-space, 8px);
    font: var(--workforce-font, 15px / 1.5 system-ui, sans-serif);
    color: var(--ink);
    background: var(--ground);
    border: var(--workforce-border, 1px solid var(--line));
    border-radius: var(--workforce-radius, 6px);
    padding: calc(2 * var(--space));
    overflow-wrap: anywhere;
  }
  *,
  ::before {
    box-sizing: border-box;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    column-gap: var(--space);
    margin-block-end: var(--space);
  }
  .title {
    font-weight: 600;
  }
  p,
  ul,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  .faint,
  dt,
  thead {
    color: var(--faint);
  }
  small,
  dt,
  .meta,
  thead {
    font-size: 0.875em;
  }
  .bad {
    color: var(--bad);
  }
  .strong {
    font-weight: 600;
  }
  .alert:not(:empty) {
    border-inline-start: 4px solid var(--bad);
    background: var(--raised);
    padding: var(--space);
    margin-block-end: var(--space);
  }
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space);
    margin-block-end: var(--space);
  }
  dl > div {
    flex: 1 1 max(64px, calc((400px - 100%) * 999)); /* in one row, or two a row below 400 px */
    max-width: calc((100% - var(--space)) / 2);
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
    background: var(--raised);
    border-radius: var(--workforce-radius, 6px);
    padding: var(--space);
  }
  dd {
    font-size: 1.375em;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  li,
  tbody tr,
  tfoot tr {
    border-block-start: 1px solid var(--line);
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font: inherit;
    color: inherit;
    overflow-wrap: break-word; /* columns are as wide as words */
  }
  caption {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  th,
  td {
    text-align: start;
    font-weight: inherit;
    padding: calc(var(--space) / 2) 0;
    padding-inline-end: var(--space);
    vertical-align: baseline;
  }
  :is(th, td):last-child {
    padding-inline-end: 0;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  tfoot {
    font-weight: 600;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    column-gap: calc(1.5 * var(--space));
    color: var(--faint);
  }
  button {
    font: inherit;
    color: inherit;
    text-align: inherit;
    cursor: pointer;
    background: none;
    border: 0;
    border-radius: 4px;
    padding: 0;
    min-height: 28px;
  }
  li {
    padding-block: calc(var(--space) / 2);
  }
  li > button {
    display: block;
    width: 100%;
  }
  li > button > span {
    display: flex;
  }
  button:hover .name,
  td > button:hover,
  th > button:hover {
    text-decoration: underline;
  }
  .retry {
    color: var(--accent);
    text-decoration: underline;
  }
  button:focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .running::before {
    content: "";
    display: inline-block;
    width: 0.5em;
    height: 0.5em;
    margin-inline-end: 0.375em;
    border-radius: 50%;
    background: currentcolor;
  }
`,lt=new URL(import.meta.url).origin,$=class extends U{constructor(...e){super(...e),this.#t=``,this.#n=()=>{},this.#r=new st(()=>this.requestUpdate()),this.language=`en`,this.#u=()=>this.#r.retry()}static{this.styles=ct}static{this.properties={endpoint:{reflect:!0},theme:{reflect:!0},from:{reflect:!0},to:{reflect:!0},limit:{reflect:!0},token:{attribute:!1},tokenProvider:{attribute:!1}}}#e;#t;#n;#r;static get observedAttributes(){return[...super.observedAttributes,`lang`,`token`]}get texts(){return je(this.language)}period(e){return``}attributeChangedCallback(e,t,n){e===`token`?n!==null&&console.warn(`<${this.localName}>: a token is no attribute; set the property token or tokenProvider.`):e===`lang`?this.requestUpdate():super.attributeChangedCallback(e,t,n)}connectedCallback(){super.connectedCallback(),this.#n=Fe(()=>{Pe(this)!==this.language&&this.requestUpdate()}),this.requestUpdate(),this.#r.start()}disconnectedCallback(){this.#n(),this.#r.stop(),super.disconnectedCallback()}willUpdate(e){this.language=Pe(this);let t=this.#i(),n={widget:this.kind,userId:this.#a(`userId`)||null,endpoint:t};this.tokenProvider?this.#e=tt(this.tokenProvider,n):(e.has(`token`)||e.has(`tokenProvider`))&&(this.#e=this.token?Xe(String(this.token)):void 0);let r=new URLSearchParams;for(let e of this.parameters){let t=this.#a(e);t&&r.set(e,t)}let i=`${t}/widget/${this.kind}${r.size>0?`?${r}`:``}`;this.#r.want(t?{url:i,language:this.language,source:this.#e}:void 0)}render(){let{value:e,fault:t}=this.#o(),n=this.texts;return M`<div class="widget" part="widget" role="group" aria-labelledby="title" lang=${this.language}
      aria-busy=${!e&&!t}>
      <header part="header">
        <span id="title" class="title" part="title" role="heading" aria-level=${Ie(this)}
          >${this.heading(n)}</span>
        ${e&&M`<span class="faint" part="period">${this.period(e)}</span>`}
      </header>
      <div class="alert" role="status" part="error">${t?this.#c(t,e):P}</div>
      ${t?this.#l(t):P}
      ${e?this.content(e):t?P:M`<p class="faint" part="loading">${n.loading}</p>`}
    </div>`}updated(){let{fault:e}=this.#o(),t=e?.code??``;if(t&&t!==this.#t){let n={code:t,message:this.#s(e),requestId:e?.requestId??``};this.dispatchEvent(new CustomEvent(`workforce-error`,{detail:n,bubbles:!0,composed:!0}))}this.#t=t}select(e){this.dispatchEvent(new CustomEvent(`workforce-select`,{detail:e,bubbles:!0,composed:!0}))}counts(e){return M`<dl part="counts">${e.map(([e,t])=>M`<div part="count"><dt part="count-name">${e}</dt><dd part="count-value">${t}</dd></div>`)}</dl>`}#i(){try{let e=new URL(this.endpoint||lt,document.baseURI);return/^https?:$/.test(e.protocol)?(e.origin+e.pathname).replace(/\/+$/,``):``}catch{return``}}#a(e){return String(this[e]??``).trim()}#o(){if(!this.#i())return{value:void 0,fault:Z(Re,!1)};let{value:e,fault:t}=this.#r,n=e!==void 0&&Array.isArray(this.rows(e??{}));return e!==void 0&&!n?{value:void 0,fault:t??Z(`INTERNAL`,!1)}:{value:e,fault:t}}#s(e){let{faults:t}=this.texts;return t[e.code]??(e.message||t.INTERNAL||``)}#c(e,t){return M`${t?`${this.texts.old} `:``}${this.#s(e)}`}#l(e){let{requestId:t,retry:n}=this.texts,r=M`<button type="button" class="retry" part="retry" @click=${this.#u}>${n}</button>`;return M`<p class="meta" part="error-footer">
      ${e.requestId?M`<span part="request-id">${t}: ${e.requestId}</span>`:P}
      ${e.code===`BAD_ENDPOINT`?P:r}
    </p>`}#u},ut=class extends ${constructor(...e){super(...e),this.kind=`tasks`,this.parameters=[`limit`]}heading(e){return e.tasks.title}rows(e){return e.items}content(e){let t=this.texts.tasks;return M`${this.counts([`open`,`inProgress`,`overdue`,`doneToday`].map(n=>[t[n],ke(e[n],this.language)]))}
      ${e.items.length===0?M`<p class="faint" part="empty">${t.empty}</p>`:M`<ul part="list" role="list" aria-label=${t.list}>${e.items.map(e=>this.#e(e))}</ul>`}`}#e(e){let{id:t,title:n,status:r,priority:i,dueAt:a,running:o}=e,s=this.texts,c=a!==null&&Date.parse(a)<Date.now(),l=a===null?``:Ee(a,this.language),u=i===`high`||i===`urgent`;return M`<li part="item">
      <button type="button" part="item-button" @click=${()=>this.select({kind:`task`,id:t,title:n,status:r})}>
        <span class="name" part="item-title">${n}</span>
        <span class="meta" part="item-meta">
          <span part="status">${s.tasks.statuses[r]??r}</span>
          <span part="priority" class=${u?`strong`:``}>${s.priority(s.priorities[i]??i)}</span>
          ${l?M`<span part="due" class=${c?`bad`:``}>${c?s.late(l):s.due(l)}</span>`:P}
          ${o?M`<span part="running" class="running strong">${s.tasks.running}</span>`:P}
        </span>
      </button>
    </li>`}},dt=class extends ${constructor(...e){super(...e),this.kind=`ticket`,this.parameters=[`limit`]}heading(e){return e.ticket.title}rows(e){return e.items}content(e){let t=this.texts.ticket;return M`${this.counts([`open`,`inProgress`,`resolvedToday`].map(n=>[t[n],ke(e[n],this.language)]))}
      ${e.items.length===0?M`<p class="faint" part="empty">${t.empty}</p>`:M`<ul part="list" role="list" aria-label=${t.list}>${e.items.map(e=>this.#e(e))}</ul>`}`}#e(e){let{id:t,number:n,subject:r,status:i,priority:a,resolveBy:o,resolvedAt:s}=e,c=this.texts,l=o===null||s!==null?``:Ee(o,this.language),u=o!==null&&Date.parse(o)<Date.now(),d=a===`high`||a===`urgent`;return M`<li part="item">
      <button type="button" part="item-button" @click=${()=>this.select({kind:`ticket`,id:t,number:n,subject:r,status:i})}>
        <span class="name" part="item-title">#${n} ${r}</span>
        <span class="meta" part="item-meta">
          <span part="status">${c.ticket.statuses[i]??i}</span>
          <span part="priority" class=${d?`strong`:``}>${c.priority(c.priorities[a]??a)}</span>
          ${l?M`<span part="due" class=${u?`bad`:``}>${u?c.late(l):c.due(l)}</span>`:P}
        </span>
      </button>
    </li>`}},ft={"workforce-timesheet":class extends ${constructor(...e){super(...e),this.kind=`timesheet`,this.parameters=[`from`,`to`,`userId`]}static{this.properties={...$.properties,userId:{attribute:`user-id`,reflect:!0}}}heading(e){return e.timesheet.title}rows(e){return e.days}period(e){return Te(e.from,e.to,this.language)}content(e){let t=this.texts.timesheet;return e.days.length===0?M`<p class="faint" part="empty">${t.empty}</p>`:M`<table part="table">
      <caption>${t.title}, ${this.period(e)}</caption>
      <thead part="head">
        <tr>
          <th scope="col">${t.day}</th>
          <th scope="col" class="number">${t.worked}</th>
          <th scope="col">${t.status}</th>
        </tr>
      </thead>
      <tbody>${e.days.map(e=>this.#e(e))}</tbody>
      <tfoot>
        <tr part="total">
          <th scope="row">${t.total}</th>
          <td class="number" part="total-value">${De(e.workedSeconds,this.language)}</td>
          <td></td>
        </tr>
      </tfoot>
    </table>`}#e(e){let{date:t,status:n,workedSeconds:r}=e;return M`<tr part="day">
      <th scope="row"><button type="button" part="day-name" @click=${()=>this.select({kind:`day`,id:t,date:t,status:n,workedSeconds:r})}>${we(t,this.language)}</button></th>
      <td class="number" part="worked">${De(r,this.language)}</td>
      <td part="status">${this.texts.timesheet.statuses[n]??n}</td>
    </tr>`}},"workforce-tasks":ut,"workforce-ticket":dt};for(let[e,t]of Object.entries(ft))customElements.get(e)||customElements.define(e,t);
}
