(function(){var e=Object.create,t=Object.defineProperty,n=Object.getOwnPropertyDescriptor,r=Object.getOwnPropertyNames,i=Object.getPrototypeOf,a=Object.prototype.hasOwnProperty,o=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),s=(e,i,o,s)=>{if(i&&typeof i==`object`||typeof i==`function`)for(var c=r(i),l=0,u=c.length,d;l<u;l++)d=c[l],!a.call(e,d)&&d!==o&&t(e,d,{get:(e=>i[e]).bind(null,d),enumerable:!(s=n(i,d))||s.enumerable});return e},c=(n,r,o)=>(o=n==null?{}:e(i(n)),s(r||!n||!n.__esModule||!a.call(n,`default`)?t(o,`default`,{value:n,enumerable:!0}):o,n));let l=1.5,[u,d]=[33,263];function f({width:e,height:t}){return{x:e/2,y:t/2,side:Math.max(e,t),angle:0}}function p(e,t,n,r){let i=new Float32Array(n*n*3),a=t.side/n,o=a>2?2:1,s=Math.cos(t.angle)*a,c=Math.sin(t.angle)*a,l=(1-r)/255/(o*o),u=0;for(let r=0;r<n;r++)for(let a=0;a<n;a++){for(let d=0;d<o*o;d++){let f=a+(d%o+.5)/o-n/2,p=r+(Math.floor(d/o)+.5)/o-n/2;m(e,t.x+f*s-p*c-.5,t.y+f*c+p*s-.5,l,i,u)}u+=3}if(r!==0)for(let e=0;e<i.length;e++)i[e]=(i[e]??0)+r;return i}function m(e,t,n,r,i,a){let o=Math.floor(t),s=Math.floor(n),c=t-o,l=n-s;h(e,o,s,r*(1-c)*(1-l),i,a),h(e,o+1,s,r*c*(1-l),i,a),h(e,o,s+1,r*(1-c)*l,i,a),h(e,o+1,s+1,r*c*l,i,a)}function h(e,t,n,r,i,a){if(t<0||n<0||t>=e.width||n>=e.height)return;let o=(n*e.width+t)*4;for(let t=0;t<3;t++)i[a+t]=(i[a+t]??0)+r*(e.data[o+t]??0)}function g(){return[[16,2],[32,6]].flatMap(([e=0,t=0])=>{let n=256/e;return Array.from({length:n*n*t},(r,i)=>{let a=Math.floor(i/t);return[(a%n+.5)*e,(Math.floor(a/n)+.5)*e]})})}let _=g();function v(e,t){let n=[];_.forEach(([r,i],a)=>{let o=1/(1+Math.exp(-(e[a]??0)));if(o<.5)return;let[s,c,l,u,...d]=Array.from({length:8},(e,n)=>(t[a*16+n]??0)/256),[f,p]=[r/256+(s??0),i/256+(c??0)],[m,h]=[(l??0)/2,(u??0)/2],g=(e,t)=>(d[e]??0)+t/256,_=[g(0,r),g(1,i),g(2,r),g(3,i)];n.push({score:o,left:f-m,top:p-h,right:f+m,bottom:p+h,eyes:_})}),n.sort((e,t)=>t.score-e.score);let r=[];for(let e of n)r.some(t=>y(t,e)>.3)||r.push(e);return r}function y(e,t){let n=Math.min(e.right,t.right)-Math.max(e.left,t.left),r=Math.min(e.bottom,t.bottom)-Math.max(e.top,t.top),i=Math.max(0,n)*Math.max(0,r);return i/(b(e)+b(t)-i)}function b(e){return(e.right-e.left)*(e.bottom-e.top)}function x(e,t){let n=(e,n)=>n+(e-.5)*t.side,[r,i,a,o]=e.eyes;return{x:n((e.left+e.right)/2,t.x),y:n((e.top+e.bottom)/2,t.y),side:l*t.side*Math.max(e.right-e.left,e.bottom-e.top),angle:Math.atan2(o-i,a-r)}}function S(e){let[t,n,r,i]=[1/0,1/0,-1/0,-1/0];for(let a=0;a<e.length;a+=3){let[o,s]=[e[a]??0,e[a+1]??0];[t,r,n,i]=[Math.min(t,o),Math.max(r,o),Math.min(n,s),Math.max(i,s)]}let a=t=>(e[d*3+t]??0)-(e[u*3+t]??0);return{x:(t+r)/2,y:(n+i)/2,side:l*Math.max(r-t,i-n),angle:Math.atan2(a(1),a(0))}}function C(e,t){let n=t.side/192,[r,i]=[Math.cos(t.angle)*n,Math.sin(t.angle)*n],a=/* @__PURE__ */ new Float32Array(1404);for(let o=0;o<a.length;o+=3){let[s,c]=[(e[o]??0)-96,(e[o+1]??0)-96];a[o]=t.x+s*r-c*i,a[o+1]=t.y+s*i+c*r,a[o+2]=(e[o+2]??0)*n}return a}function w({width:e,height:t,data:n},r){let{x:i}=S(r),[a,o]=[[0,0],[0,0]];for(let s=0;s<r.length;s+=3){let[c,l]=[Math.round(r[s]??0),Math.round(r[s+1]??0)];if(c<0||l<0||c>=e||l>=t)continue;let u=(l*e+c)*4,d=c<i?0:1;a[d]+=.3*(n[u]??0)+.59*(n[u+1]??0)+.11*(n[u+2]??0),o[d]++}return[a[0]/(o[0]||1),a[1]/(o[1]||1)]}
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var T=class{constructor(e,t){this.backend=e,this.dataMover=t,this.data=/* @__PURE__ */ new WeakMap,this.dataIdsCount=0}get(e){return this.data.has(e)||this.dataMover.moveData(this.backend,e),this.data.get(e)}set(e,t){this.dataIdsCount++,this.data.set(e,t)}has(e){return this.data.has(e)}delete(e){return this.dataIdsCount--,this.data.delete(e)}numDataIds(){return this.dataIdsCount}},ee=class{refCount(e){return E(`refCount`)}incRef(e){return E(`incRef`)}timerAvailable(){return!0}time(e){return E(`time`)}read(e){return E(`read`)}readSync(e){return E(`readSync`)}readToGPU(e,t){return E(`readToGPU`)}numDataIds(){return E(`numDataIds`)}disposeData(e,t){return E(`disposeData`)}write(e,t,n){return E(`write`)}move(e,t,n,r,i){return E(`move`)}createTensorFromGPUData(e,t,n){return E(`createTensorFromGPUData`)}memory(){return E(`memory`)}floatPrecision(){return E(`floatPrecision`)}epsilon(){return this.floatPrecision()===32?1e-7:1e-4}dispose(){return E(`dispose`)}};function E(e){throw Error(`'${e}' not yet implemented or not found in the registry. This kernel may not be supported by the tfjs backend you have chosen`)}
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function D(e,t){if(!e)throw Error(typeof t==`string`?t:t())}function O(e){if(e.length===0)return 1;let t=e[0];for(let n=1;n<e.length;n++)t*=e[n];return t}function k(e,t){if(e===t)return!0;if(e==null||t==null||e.length!==t.length)return!1;for(let n=0;n<e.length;n++)if(e[n]!==t[n])return!1;return!0}function te(e,t){return t<=e.length?e:e+` `.repeat(t-e.length)}function A(e,t){let n=1,r=-1;for(let t=0;t<e.length;++t)if(e[t]>=0)n*=e[t];else if(e[t]===-1){if(r!==-1)throw Error(`Shapes can only have 1 implicit size. Found -1 at dim ${r} and dim ${t}`);r=t}else if(e[t]<0)throw Error(`Shapes can not be < 0. Found ${e[t]} at dim ${t}`);if(r===-1){if(t>0&&t!==n)throw Error(`Size(${t}) must match the product of shape ${e}`);return e}if(n===0)throw Error(`Cannot infer the missing size in [${e}] when there are 0 elements`);if(t%n!==0)throw Error(`The implicit shape can't be a fractional number. Got ${t} / ${n}`);let i=e.slice();return i[r]=t/n,i}function ne(e,t){let n=null;if(e==null||e===`float32`)n=new Float32Array(t);else if(e===`int32`)n=new Int32Array(t);else if(e===`bool`)n=new Uint8Array(t);else if(e===`string`)n=Array(t);else throw Error(`Unknown data type ${e}`);return n}function re(e,t){for(let n=0;n<e.length;n++){let r=e[n];if(isNaN(r)||!isFinite(r))throw Error(`A tensor of type ${t} being uploaded contains ${r}.`)}}function ie(e){return e===`bool`||e===`complex64`||e===`float32`||e===`int32`||e===`string`}function ae(e){if(e===`float32`||e===`int32`)return 4;if(e===`complex64`)return 8;if(e===`bool`)return 1;throw Error(`Unknown dtype ${e}`)}function oe(e){if(e==null)return 0;let t=0;return e.forEach(e=>t+=e.length),t}function se(e){return typeof e==`string`||e instanceof String}function ce(e){return typeof e==`boolean`}function le(e){return typeof e==`number`}function ue(e){return Array.isArray(e)?ue(e[0]):e instanceof Float32Array?`float32`:e instanceof Int32Array||e instanceof Uint8Array||e instanceof Uint8ClampedArray?`int32`:le(e)?`float32`:se(e)?`string`:ce(e)?`bool`:`float32`}function j(e){return!!(e&&e.constructor&&e.call&&e.apply)}function M(e){let t=e.length;if(t<2)return[];let n=Array(t-1);n[t-2]=e[t-1];for(let r=t-3;r>=0;--r)n[r]=n[r+1]*e[r+1];return n}function de(e,t,n,r=!1){let i=[];if(t.length===1){let a=t[0]*(r?2:1);for(let t=0;t<a;t++)i[t]=n[e+t]}else{let a=t[0],o=t.slice(1),s=o.reduce((e,t)=>e*t)*(r?2:1);for(let t=0;t<a;t++)i[t]=de(e+t*s,o,n,r)}return i}function fe(e,t,n=!1){if(e.length===0)return t[0];let r=e.reduce((e,t)=>e*t)*(n?2:1);if(r===0)return[];if(r!==t.length)throw Error(`[${e}] does not match the input size ${t.length}${n?` for a complex tensor`:``}.`);return de(0,e,t,n)}function pe(e,t){let n=me(e,t);for(let e=0;e<n.length;e++)n[e]=1;return n}function me(e,t){if(t==null||t===`float32`||t===`complex64`)return new Float32Array(e);if(t===`int32`)return new Int32Array(e);if(t===`bool`)return new Uint8Array(e);throw Error(`Unknown data type ${t}`)}function N(e){e.forEach(t=>{D(Number.isInteger(t)&&t>=0,()=>`Tensor must have a shape comprised of positive integers but got shape [${e}].`)})}function he(e){return e&&e.then&&typeof e.then==`function`}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let ge=`tfjsflags`;var _e=class{constructor(e){this.global=e,this.flags={},this.flagRegistry={},this.urlFlags={},this.getQueryParams=P,this.populateURLFlags()}setPlatform(e,t){this.platform!=null&&(F().getBool(`IS_TEST`)||F().getBool(`PROD`)||console.warn(`Platform ${this.platformName} has already been set. Overwriting the platform with ${e}.`)),this.platformName=e,this.platform=t}registerFlag(e,t,n){if(this.flagRegistry[e]={evaluationFn:t,setHook:n},this.urlFlags[e]!=null){let t=this.urlFlags[e];F().getBool(`IS_TEST`)||F().getBool(`PROD`)||console.warn(`Setting feature override from URL ${e}: ${t}.`),this.set(e,t)}}async getAsync(e){return e in this.flags||(this.flags[e]=await this.evaluateFlag(e)),this.flags[e]}get(e){if(e in this.flags)return this.flags[e];let t=this.evaluateFlag(e);if(he(t))throw Error(`Flag ${e} cannot be synchronously evaluated. Please use getAsync() instead.`);return this.flags[e]=t,this.flags[e]}getNumber(e){return this.get(e)}getBool(e){return this.get(e)}getString(e){return this.get(e)}getFlags(){return this.flags}get features(){return this.flags}set(e,t){if(this.flagRegistry[e]==null)throw Error(`Cannot set flag ${e} as it has not been registered.`);this.flags[e]=t,this.flagRegistry[e].setHook!=null&&this.flagRegistry[e].setHook(t)}evaluateFlag(e){if(this.flagRegistry[e]==null)throw Error(`Cannot evaluate flag '${e}': no evaluation function found.`);return this.flagRegistry[e].evaluationFn()}setFlags(e){this.flags=Object.assign({},e)}reset(){this.flags={},this.urlFlags={},this.populateURLFlags()}populateURLFlags(){if(this.global===void 0||this.global.location===void 0||this.global.location.search===void 0)return;let e=this.getQueryParams(this.global.location.search);ge in e&&e[ge].split(`,`).forEach(e=>{let[t,n]=e.split(`:`);this.urlFlags[t]=ye(t,n)})}};function P(e){let t={};return e.replace(/[?&]([^=?&]+)(?:=([^&]*))?/g,(e,...n)=>(ve(t,n[0],n[1]),n.join(`=`))),t}function ve(e,t,n){e[decodeURIComponent(t)]=decodeURIComponent(n||``)}function ye(e,t){let n=t.toLowerCase();return n===`true`||n===`false`?n===`true`:`${+n}`===n?+n:t}function F(){return be}let be=null;function xe(e){be=e}
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let Se;function Ce(){if(Se==null){let e;if(typeof window<`u`)e=window;else if(typeof global<`u`)e=global;else if(typeof process<`u`)e=process;else if(typeof self<`u`)e=self;else throw Error(`Could not find a global object`);Se=e}return Se}function we(){let e=Ce();return e._tfGlobals??=/* @__PURE__ */ new Map,e._tfGlobals}function I(e,t){let n=we();if(n.has(e))return n.get(e);{let r=t();return n.set(e,r),n.get(e)}}let Te=`Cast`,Ee=`DepthwiseConv2dNative`,De=`Identity`,Oe=`MaxPool`,ke=`PadV2`,Ae=`Prelu`,je=`FusedConv2D`;
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function L(...e){F().getBool(`IS_TEST`)||F().getBool(`PROD`)||console.warn(...e)}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let R=I(`kernelRegistry`,()=>/* @__PURE__ */ new Map),Me=I(`gradRegistry`,()=>/* @__PURE__ */ new Map);function Ne(e,t){let n=Le(e,t);return R.get(n)}function Pe(e){return Me.get(e)}function Fe(e){let t=R.entries(),n=[];for(;;){let{done:r,value:i}=t.next();if(r)break;let[a,o]=i,[s]=a.split(`_`);s===e&&n.push(o)}return n}function Ie(e){let{kernelName:t,backendName:n}=e,r=Le(t,n);R.has(r)&&L(`The kernel '${t}' for backend '${n}' is already registered`),R.set(r,e)}function Le(e,t){return`${t}_${e}`}
/**
* @license
* Copyright 2023 Google LLC.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Re(e){return e instanceof Float32Array||e instanceof Int32Array||e instanceof Uint8Array||e instanceof Uint8ClampedArray}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function ze(e,t){return e instanceof Float32Array&&t===`float32`||e instanceof Int32Array&&t===`int32`||e instanceof Uint8Array&&t===`bool`}function Be(e,t){if(t===`string`)throw Error(`Cannot convert a string[] to a TypedArray`);if(Array.isArray(e)&&(e=B(e)),F().getBool(`DEBUG`)&&re(e,t),ze(e,t))return e;if(t==null||t===`float32`||t===`complex64`)return new Float32Array(e);if(t===`int32`)return new Int32Array(e);if(t===`bool`){let t=new Uint8Array(e.length);for(let n=0;n<t.length;++n)Math.round(e[n])!==0&&(t[n]=1);return t}throw Error(`Unknown data type ${t}`)}function Ve(){return F().platform.now()}function He(e,t){return F().platform.fetch(e,t)}function Ue(e,t=`utf-8`){return t||=`utf-8`,F().platform.encode(e,t)}function We(e,t=`utf-8`){return t||=`utf-8`,F().platform.decode(e,t)}function z(e){return F().platform.isTypedArray==null?Re(e):F().platform.isTypedArray(e)}function B(e,t=[],n=!1){if(t??=[],typeof e==`boolean`||typeof e==`number`||typeof e==`string`||he(e)||e==null||z(e)&&n)t.push(e);else if(Array.isArray(e)||z(e))for(let r=0;r<e.length;++r)B(e[r],t,n);else{let r=-1;for(let t of Object.keys(e))/^([1-9]+[0-9]*|0)$/.test(t)&&(r=Math.max(r,Number(t)));for(let i=0;i<=r;i++)B(e[i],t,n)}return t}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var Ge=class{constructor(e,t){this.backendTimer=e,this.logger=t,t??(this.logger=new qe)}profileKernel(e,t,n){let r,i=()=>{r=n()},a,o=Ve();if(this.backendTimer.timerAvailable())a=this.backendTimer.time(i);else{i();for(let e of r)e.dataSync();a=Promise.resolve({kernelMs:Ve()-o})}if(F().getBool(`CHECK_COMPUTATION_FOR_ERRORS`))for(let t=0;t<r.length;t++){let n=r[t];n.data().then(t=>{Ke(t,n.dtype,e)})}return{kernelName:e,outputs:r,inputs:t,timeMs:a.then(e=>e.kernelMs),extraInfo:a.then(e=>e.getExtraProfileInfo==null?``:e.getExtraProfileInfo())}}logKernelProfile(e){let{kernelName:t,outputs:n,timeMs:r,inputs:i,extraInfo:a}=e;n.forEach(e=>{Promise.all([e.data(),r,a]).then(n=>{this.logger.logKernelProfile(t,e,n[0],n[1],i,n[2])})})}};function Ke(e,t,n){if(t!==`float32`)return!1;for(let t=0;t<e.length;t++){let r=e[t];if(isNaN(r)||!isFinite(r))return console.warn(`Found ${r} in the result of '${n}'`),!0}return!1}var qe=class{logKernelProfile(e,t,n,r,i,a){let o=typeof r==`number`?te(`${r}ms`,9):r.error,s=te(e,25),c=t.rank,l=t.size,u=te(t.shape.toString(),14),d=``;for(let e in i){let n=i[e];if(n!=null){let r=n.shape||t.shape,i=r.length;d+=`${e}: ${i}D ${i>0?r:``} `}}console.log(`%c${s}\t%c${o}\t%c${c}D ${u}\t%c${l}\t%c${d}\t%c${a}`,`font-weight:bold`,`color:red`,`color:blue`,`color: orange`,`color: green`,`color: steelblue`)}};
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Je(e,t,n){let r={},i={};for(let e=0;e<t.length;e++)r[t[e].id]=!0;for(let n=0;n<e.length;n++){let a=e[n],o=a.inputs;for(let e in o){let n=o[e],s=!1;for(let e=0;e<t.length;e++)if(r[n.id]){a.outputs.forEach(e=>r[e.id]=!0),s=!0,i[a.id]=!0;break}if(s)break}}let a={};a[n.id]=!0;let o={};for(let t=e.length-1;t>=0;t--){let n=e[t],r=n.inputs;for(let e=0;e<n.outputs.length;e++)if(a[n.outputs[e].id]){for(let e in r)a[r[e].id]=!0,o[n.id]=!0;break}}let s=[];for(let t=0;t<e.length;t++){let n=e[t];if(i[n.id]&&o[n.id]){let e={};for(let t in n.inputs){let i=n.inputs[t];r[i.id]&&(e[t]=i)}let t=Object.assign({},n);t.inputs=e,t.outputs=n.outputs,s.push(t)}}return s}function Ye(e,t,n,r){for(let i=t.length-1;i>=0;i--){let a=t[i],o=[];if(a.outputs.forEach(t=>{let n=e[t.id];n==null?o.push(null):o.push(n)}),a.gradient==null)throw Error(`Cannot compute gradient: gradient function not found for ${a.kernelName}.`);let s=a.gradient(o);for(let t in a.inputs){if(!(t in s))throw Error(`Cannot backprop through input ${t}. Available gradients found: ${Object.keys(s)}.`);let i=n(()=>s[t]());if(i.dtype!==`float32`)throw Error(`Error in gradient for op ${a.kernelName}. The gradient of input ${t} must have 'float32' dtype, but has '${i.dtype}'`);let o=a.inputs[t];if(!k(i.shape,o.shape))throw Error(`Error in gradient for op ${a.kernelName}. The gradient of input '${t}' has shape '${i.shape}', which does not match the shape of the input '${o.shape}'`);if(e[o.id]==null)e[o.id]=i;else{let t=e[o.id];e[o.id]=r(t,i),t.dispose()}}}}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Xe(e,t,n,r){let i=M(t),a=Ze(e,t,n,i),o=t.length,s=et(e,t,n,i,a),c=[`Tensor`];return r&&(c.push(`  dtype: ${n}`),c.push(`  rank: ${o}`),c.push(`  shape: [${t}]`),c.push(`  values:`)),c.push(s.map(e=>`    `+e).join(`
`)),c.join(`
`)}function Ze(e,t,n,r){let i=O(t),a=r[r.length-1],o=Array(a).fill(0),s=t.length,c=n===`complex64`?tt(e):e;if(s>1)for(let e=0;e<i/a;e++){let t=e*a;for(let e=0;e<a;e++)o[e]=Math.max(o[e],Qe(c[t+e],0,n).length)}return o}function Qe(e,t,n){let r;return r=Array.isArray(e)?`${parseFloat(e[0].toFixed(7))} + ${parseFloat(e[1].toFixed(7))}j`:se(e)?`'${e}'`:n===`bool`?$e(e):parseFloat(e.toFixed(7)).toString(),te(r,t)}function $e(e){return e===0?`false`:`true`}function et(e,t,n,r,i,a=!0){let o=n===`complex64`?2:1,s=t[0],c=t.length;if(c===0)return n===`complex64`?[Qe(tt(e)[0],0,n)]:n===`bool`?[$e(e[0])]:[e[0].toString()];if(c===1){if(s>20){let t=3*o,r=Array.from(e.slice(0,t)),a=Array.from(e.slice((s-3)*o,s*o));return n===`complex64`&&(r=tt(r),a=tt(a)),[`[`+r.map((e,t)=>Qe(e,i[t],n)).join(`, `)+`, ..., `+a.map((e,t)=>Qe(e,i[s-3+t],n)).join(`, `)+`]`]}return[`[`+(n===`complex64`?tt(e):Array.from(e)).map((e,t)=>Qe(e,i[t],n)).join(`, `)+`]`]}let l=t.slice(1),u=r.slice(1),d=r[0]*o,f=[];if(s>20){for(let t=0;t<3;t++){let r=t*d,a=r+d;f.push(...et(e.slice(r,a),l,n,u,i,!1))}f.push(`...`);for(let t=s-3;t<s;t++){let r=t*d,a=r+d;f.push(...et(e.slice(r,a),l,n,u,i,t===s-1))}}else for(let t=0;t<s;t++){let r=t*d,a=r+d;f.push(...et(e.slice(r,a),l,n,u,i,t===s-1))}let p=c===2?`,`:``;f[0]=`[`+(s>0?f[0]+p:``);for(let e=1;e<f.length-1;e++)f[e]=` `+f[e]+p;let m=`,
`;for(let e=2;e<c;e++)m+=`
`;return f[f.length-1]=` `+f[f.length-1]+`]`+(a?``:m),f}function tt(e){let t=[];for(let n=0;n<e.length;n+=2)t.push([e[n],e[n+1]]);return t}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var nt=class{constructor(e,t,n){if(this.dtype=t,this.shape=e.slice(),this.size=O(e),n!=null){let e=n.length;D(e===this.size,()=>`Length of values '${e}' does not match the size inferred by the shape '${this.size}'.`)}if(t===`complex64`)throw Error(`complex64 dtype TensorBuffers are not supported. Please create a TensorBuffer for the real and imaginary parts separately and call tf.complex(real, imag).`);this.values=n||ne(t,this.size),this.strides=M(e)}set(e,...t){t.length===0&&(t=[0]),D(t.length===this.rank,()=>`The number of provided coordinates (${t.length}) must match the rank (${this.rank})`);let n=this.locToIndex(t);this.values[n]=e}get(...e){e.length===0&&(e=[0]);let t=0;for(let n of e){if(n<0||n>=this.shape[t]){let t=`Requested out of range element at ${e}.   Buffer shape=${this.shape}`;throw Error(t)}t++}let n=e[e.length-1];for(let t=0;t<e.length-1;++t)n+=this.strides[t]*e[t];return this.values[n]}locToIndex(e){if(this.rank===0)return 0;if(this.rank===1)return e[0];let t=e[e.length-1];for(let n=0;n<e.length-1;++n)t+=this.strides[n]*e[n];return t}indexToLoc(e){if(this.rank===0)return[];if(this.rank===1)return[e];let t=Array(this.shape.length);for(let n=0;n<t.length-1;++n)t[n]=Math.floor(e/this.strides[n]),e-=t[n]*this.strides[n];return t[t.length-1]=e,t}get rank(){return this.shape.length}toTensor(){return V().makeTensor(this.values,this.shape,this.dtype)}};let V=null,rt=null;function it(e){V=e}function at(e){rt=e}var H=class{constructor(e,t,n,r){this.kept=!1,this.isDisposedInternal=!1,this.shape=e.slice(),this.dtype=t||`float32`,this.size=O(e),this.strides=M(e),this.dataId=n,this.id=r,this.rankType=this.rank<5?this.rank.toString():`higher`}get rank(){return this.shape.length}async buffer(){let e=await this.data();return rt.buffer(this.shape,this.dtype,e)}bufferSync(){return rt.buffer(this.shape,this.dtype,this.dataSync())}async array(){let e=await this.data();return fe(this.shape,e,this.dtype===`complex64`)}arraySync(){return fe(this.shape,this.dataSync(),this.dtype===`complex64`)}async data(){this.throwIfDisposed();let e=V().read(this.dataId);if(this.dtype===`string`){let t=await e;try{return t.map(e=>We(e))}catch{throw Error(`Failed to decode the string bytes into utf-8. To get the original bytes, call tensor.bytes().`)}}return e}dataToGPU(e){return this.throwIfDisposed(),V().readToGPU(this.dataId,e)}dataSync(){this.throwIfDisposed();let e=V().readSync(this.dataId);if(this.dtype===`string`)try{return e.map(e=>We(e))}catch{throw Error(`Failed to decode the string bytes into utf-8. To get the original bytes, call tensor.bytes().`)}return e}async bytes(){this.throwIfDisposed();let e=await V().read(this.dataId);return this.dtype===`string`?e:new Uint8Array(e.buffer)}dispose(){this.isDisposed||(this.kerasMask&&this.kerasMask.dispose(),V().disposeTensor(this),this.isDisposedInternal=!0)}get isDisposed(){return this.isDisposedInternal}throwIfDisposed(){if(this.isDisposed)throw Error(`Tensor is disposed.`)}print(e=!1){return rt.print(this,e)}clone(){return this.throwIfDisposed(),rt.clone(this)}toString(e=!1){return Xe(this.dataSync(),this.shape,this.dtype,e)}cast(e){return this.throwIfDisposed(),rt.cast(this,e)}variable(e=!0,t,n){return this.throwIfDisposed(),V().makeVariable(this,e,t,n)}};Object.defineProperty(H,Symbol.hasInstance,{value:e=>!!e&&e.data!=null&&e.dataSync!=null&&e.throwIfDisposed!=null});function ot(){return I(`Tensor`,()=>H)}ot();var st=class extends H{constructor(e,t,n,r){super(e.shape,e.dtype,e.dataId,r),this.trainable=t,this.name=n}assign(e){if(e.dtype!==this.dtype)throw Error(`dtype of the new value (${e.dtype}) and previous value (${this.dtype}) must match`);if(!k(e.shape,this.shape))throw Error(`shape of the new value (${e.shape}) and previous value (${this.shape}) must match`);V().disposeTensor(this),this.dataId=e.dataId,V().incRef(this,null)}dispose(){V().disposeVariable(this),this.isDisposedInternal=!0}};Object.defineProperty(st,Symbol.hasInstance,{value:e=>e instanceof H&&e.assign!=null&&e.assign instanceof Function});
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var ct;(function(e){e.R0=`R0`,e.R1=`R1`,e.R2=`R2`,e.R3=`R3`,e.R4=`R4`,e.R5=`R5`,e.R6=`R6`})(ct||={});var lt;(function(e){e.float32=`float32`,e.int32=`int32`,e.bool=`int32`,e.complex64=`complex64`})(lt||={});var ut;(function(e){e.float32=`float32`,e.int32=`int32`,e.bool=`bool`,e.complex64=`complex64`})(ut||={});var dt;(function(e){e.float32=`float32`,e.int32=`float32`,e.bool=`float32`,e.complex64=`complex64`})(dt||={});var ft;(function(e){e.float32=`complex64`,e.int32=`complex64`,e.bool=`complex64`,e.complex64=`complex64`})(ft||={});let pt={float32:dt,int32:lt,bool:ut,complex64:ft};function mt(e,t){if(e===`string`||t===`string`){if(e===`string`&&t===`string`)return`string`;throw Error(`Can not upcast ${e} with ${t}`)}return pt[e][t]}function ht(e){return typeof e==`object`&&!!e&&`texture`in e&&e.texture instanceof WebGLTexture}function gt(e){return typeof GPUBuffer<`u`&&typeof e==`object`&&!!e&&`buffer`in e&&e.buffer instanceof GPUBuffer}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function U(e,t){if(e.dtype===t.dtype)return[e,t];let n=mt(e.dtype,t.dtype);return[e.cast(n),t.cast(n)]}function _t(e){let t=[];return vt(e,t,/* @__PURE__ */ new Set),t}function vt(e,t,n){if(e==null)return;if(e instanceof H){t.push(e);return}if(!yt(e))return;let r=e;for(let e in r){let i=r[e];n.has(i)||(n.add(i),vt(i,t,n))}}function yt(e){return Array.isArray(e)||typeof e==`object`}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function bt(e){return e.kernelName!=null}var xt=class{constructor(){this.registeredVariables={},this.nextTapeNodeId=0,this.numBytes=0,this.numTensors=0,this.numStringTensors=0,this.numDataBuffers=0,this.gradientDepth=0,this.kernelDepth=0,this.scopeStack=[],this.numDataMovesStack=[],this.nextScopeId=0,this.tensorInfo=/* @__PURE__ */ new WeakMap,this.profiling=!1,this.activeProfile={newBytes:0,newTensors:0,peakBytes:0,kernels:[],result:null,get kernelNames(){return Array.from(new Set(this.kernels.map(e=>e.name)))}}}dispose(){for(let e in this.registeredVariables)this.registeredVariables[e].dispose()}},St=class e{constructor(e){this.ENV=e,this.registry={},this.registryFactory={},this.pendingBackendInitId=0,this.state=new xt}async ready(){if(this.pendingBackendInit!=null)return this.pendingBackendInit.then(()=>{});if(this.backendInstance!=null)return;let e=this.getSortedBackends();for(let t=0;t<e.length;t++){let n=e[t];if(await this.initializeBackend(n).success){await this.setBackend(n);return}}throw Error(`Could not initialize any backends, all backend initializations failed.`)}get backend(){if(this.pendingBackendInit!=null)throw Error(`Backend '${this.backendName}' has not yet been initialized. Make sure to await tf.ready() or await tf.setBackend() before calling other methods`);if(this.backendInstance==null){let{name:e,asyncInit:t}=this.initializeBackendsAndReturnBest();if(t)throw Error(`The highest priority backend '${e}' has not yet been initialized. Make sure to await tf.ready() or await tf.setBackend() before calling other methods`);this.setBackend(e)}return this.backendInstance}backendNames(){return Object.keys(this.registryFactory)}findBackend(e){if(!(e in this.registry)){if(e in this.registryFactory){let{asyncInit:t}=this.initializeBackend(e);if(t)return null}else return null}return this.registry[e]}findBackendFactory(e){return e in this.registryFactory?this.registryFactory[e].factory:null}registerBackend(e,t,n=1){return e in this.registryFactory?(L(`${e} backend was already registered. Reusing existing backend factory.`),!1):(this.registryFactory[e]={factory:t,priority:n},!0)}async setBackend(e){if(this.registryFactory[e]==null)throw Error(`Backend name '${e}' not found in registry`);if(this.backendName=e,this.registry[e]==null){this.backendInstance=null;let{success:t,asyncInit:n}=this.initializeBackend(e);if(!(n?await t:t))return!1}return this.backendInstance=this.registry[e],this.setupRegisteredKernels(),this.profiler=new Ge(this.backendInstance),!0}setupRegisteredKernels(){Fe(this.backendName).forEach(e=>{e.setupFunc!=null&&e.setupFunc(this.backendInstance)})}disposeRegisteredKernels(e){Fe(e).forEach(t=>{t.disposeFunc!=null&&t.disposeFunc(this.registry[e])})}initializeBackend(e){let t=this.registryFactory[e];if(t==null)throw Error(`Cannot initialize backend ${e}, no registration found.`);try{let n=t.factory();if(n&&!(n instanceof ee)&&typeof n.then==`function`){let t=++this.pendingBackendInitId,r=n.then(n=>t<this.pendingBackendInitId?!1:(this.registry[e]=n,this.pendingBackendInit=null,!0)).catch(n=>(t<this.pendingBackendInitId||(this.pendingBackendInit=null,L(`Initialization of backend ${e} failed`),L(n.stack||n.message)),!1));return this.pendingBackendInit=r,{success:r,asyncInit:!0}}return this.registry[e]=n,{success:!0,asyncInit:!1}}catch(t){return L(`Initialization of backend ${e} failed`),L(t.stack||t.message),{success:!1,asyncInit:!1}}}removeBackend(e){if(!(e in this.registryFactory))throw Error(`${e} backend not found in registry`);this.backendName===e&&this.pendingBackendInit!=null&&this.pendingBackendInitId++,e in this.registry&&(this.disposeRegisteredKernels(e),this.registry[e].dispose(),delete this.registry[e]),delete this.registryFactory[e],this.backendName===e&&(this.pendingBackendInit=null,this.backendName=null,this.backendInstance=null)}getSortedBackends(){if(Object.keys(this.registryFactory).length===0)throw Error(`No backend found in registry.`);return Object.keys(this.registryFactory).sort((e,t)=>this.registryFactory[t].priority-this.registryFactory[e].priority)}initializeBackendsAndReturnBest(){let e=this.getSortedBackends();for(let t=0;t<e.length;t++){let n=e[t],{success:r,asyncInit:i}=this.initializeBackend(n);if(i||r)return{name:n,asyncInit:i}}throw Error(`Could not initialize any backends, all backend initializations failed.`)}moveData(e,t){let n=this.state.tensorInfo.get(t),r=n.backend,i=this.readSync(t),a=r.refCount(t);r.disposeData(t,!0),n.backend=e,e.move(t,i,n.shape,n.dtype,a),this.shouldCheckForMemLeaks()&&this.state.numDataMovesStack[this.state.numDataMovesStack.length-1]++}tidy(e,t){let n=null;if(t==null){if(typeof e!=`function`)throw Error(`Please provide a function to tidy()`);t=e}else{if(typeof e!=`string`&&!(e instanceof String))throw Error(`When calling with two arguments, the first argument to tidy() must be a string`);if(typeof t!=`function`)throw Error(`When calling with two arguments, the 2nd argument to tidy() must be a function`);n=e}let r;return this.scopedRun(()=>this.startScope(n),()=>this.endScope(r),()=>(r=t(),r instanceof Promise&&console.error(`Cannot return a Promise inside of tidy.`),r))}scopedRun(e,t,n){e();try{let e=n();return t(),e}catch(e){throw t(),e}}nextTensorId(){return e.nextTensorId++}nextVariableId(){return e.nextVariableId++}clone(e){let t=W.runKernel(De,{x:e}),n={x:e};return this.addTapeNode(this.state.activeScope.name,n,[t],e=>({x:()=>{let t={x:e};return W.runKernel(Te,t,{dtype:`float32`})}}),[],{}),t}runKernel(e,t,n){if(this.backendName??this.backend,Ne(e,this.backendName)==null)throw Error(`Kernel '${e}' not registered for backend '${this.backendName}'`);return this.runKernelFunc({kernelName:e,inputs:t,attrs:n})}shouldCheckForMemLeaks(){return this.ENV.getBool(`IS_TEST`)}checkKernelForMemLeak(e,t,n){let r=this.backend.numDataIds(),i=0;n.forEach(e=>{i+=e.dtype===`complex64`?3:1});let a=this.state.numDataMovesStack[this.state.numDataMovesStack.length-1],o=r-t-i-a;if(o>0)throw Error(`Backend '${this.backendName}' has an internal memory leak (${o} data ids) after running '${e}'`)}runKernelFunc(e){let t,n=[],r=this.isTapeOn(),i=this.state.numBytes,a=this.state.numTensors;this.shouldCheckForMemLeaks()&&this.state.numDataMovesStack.push(0);let o;this.backendName??this.backend;let s,c=bt(e)?e.kernelName:this.state.activeScope==null?``:this.state.activeScope.name;if(bt(e)){let{kernelName:t,inputs:i,attrs:a}=e;this.backendName??this.backend;let c=Ne(t,this.backendName);D(c!=null,()=>`Cannot find registered kernel '${t}' for backend '${this.backendName}'`),o=()=>{let e=this.backend.numDataIds();s=c.kernelFunc({inputs:i,attrs:a,backend:this.backend});let o=Array.isArray(s)?s:[s];this.shouldCheckForMemLeaks()&&this.checkKernelForMemLeak(t,e,o);let l=o.map(e=>e.rank==null?this.makeTensorFromTensorInfo(e):e);if(r){let e=this.getTensorsForGradient(t,i,l);n=this.saveTensorsForBackwardMode(e)}return l}}else{let{forwardFunc:t}=e,i=e=>{r&&(n=e.map(e=>this.keep(this.clone(e))))};o=()=>{let e=this.backend.numDataIds();s=this.tidy(()=>t(this.backend,i));let n=Array.isArray(s)?s:[s];return this.shouldCheckForMemLeaks()&&this.checkKernelForMemLeak(c,e,n),n}}let{inputs:l,attrs:u}=e,d=bt(e)?null:e.backwardsFunc,f;return this.scopedRun(()=>this.state.kernelDepth++,()=>this.state.kernelDepth--,()=>{!this.ENV.getBool(`DEBUG`)&&!this.state.profiling?t=o():(f=this.profiler.profileKernel(c,l,()=>o()),this.ENV.getBool(`DEBUG`)&&this.profiler.logKernelProfile(f),t=f.outputs)}),r&&this.addTapeNode(c,l,t,d,n,u),this.state.profiling&&this.state.activeProfile.kernels.push({name:c,bytesAdded:this.state.numBytes-i,totalBytesSnapshot:this.state.numBytes,tensorsAdded:this.state.numTensors-a,totalTensorsSnapshot:this.state.numTensors,inputShapes:Object.keys(l).map(e=>l[e]==null?null:l[e].shape),outputShapes:t.map(e=>e.shape),kernelTimeMs:f.timeMs,extraInfo:f.extraInfo}),Array.isArray(s)?t:t[0]}saveTensorsForBackwardMode(e){return e.map(e=>this.keep(this.clone(e)))}getTensorsForGradient(e,t,n){let r=Pe(e);if(r!=null){let e=r.inputsToSave||[],i=r.outputsToSave||[],a;r.saveAllInputs?(D(Array.isArray(t),()=>`saveAllInputs is true, expected inputs to be an array.`),a=Object.keys(t).map(e=>t[e])):a=e.map(e=>t[e]);let o=n.filter((e,t)=>i[t]);return a.concat(o)}return[]}makeTensor(e,t,n,r){if(e==null)throw Error(`Values passed to engine.makeTensor() are null`);n||=`float32`,r||=this.backend;let i=e;n===`string`&&se(e[0])&&(i=e.map(e=>Ue(e)));let a=r.write(i,t,n),o=new H(t,n,a,this.nextTensorId());if(this.trackTensor(o,r),n===`string`){let e=this.state.tensorInfo.get(a),t=oe(i);this.state.numBytes+=t-e.bytes,e.bytes=t}return o}makeTensorFromDataId(e,t,n,r){n||=`float32`;let i={dataId:e,shape:t,dtype:n};return this.makeTensorFromTensorInfo(i,r)}makeTensorFromTensorInfo(e,t){let{dataId:n,shape:r,dtype:i}=e,a=new H(r,i,n,this.nextTensorId());return this.trackTensor(a,t),a}makeVariable(e,t=!0,n,r){n||=this.nextVariableId().toString(),r!=null&&r!==e.dtype&&(e=e.cast(r));let i=new st(e,t,n,this.nextTensorId());if(this.state.registeredVariables[i.name]!=null)throw Error(`Variable with name ${i.name} was already registered`);return this.state.registeredVariables[i.name]=i,this.incRef(i,this.backend),i}trackTensor(e,t){this.state.numTensors++,e.dtype===`string`&&this.state.numStringTensors++;let n=0;e.dtype!==`complex64`&&e.dtype!==`string`&&(n=e.size*ae(e.dtype)),this.state.numBytes+=n,this.state.tensorInfo.has(e.dataId)||(this.state.numDataBuffers++,this.state.tensorInfo.set(e.dataId,{backend:t||this.backend,dtype:e.dtype,shape:e.shape,bytes:n})),e instanceof st||this.track(e)}incRef(e,t){this.trackTensor(e,t),this.backend.incRef(e.dataId)}removeDataId(e,t){this.state.tensorInfo.has(e)&&this.state.tensorInfo.get(e).backend===t&&(this.state.tensorInfo.delete(e),this.state.numDataBuffers--)}disposeTensor(e){if(!this.state.tensorInfo.has(e.dataId))return;let t=this.state.tensorInfo.get(e.dataId);if(this.state.numTensors--,e.dtype===`string`&&(this.state.numStringTensors--,this.state.numBytes-=t.bytes),e.dtype!==`complex64`&&e.dtype!==`string`){let t=e.size*ae(e.dtype);this.state.numBytes-=t}t.backend.disposeData(e.dataId)&&this.removeDataId(e.dataId,t.backend)}disposeVariables(){for(let e in this.state.registeredVariables){let t=this.state.registeredVariables[e];this.disposeVariable(t)}}disposeVariable(e){this.disposeTensor(e),this.state.registeredVariables[e.name]!=null&&delete this.state.registeredVariables[e.name]}memory(){let e=this.backend.memory();return e.numTensors=this.state.numTensors,e.numDataBuffers=this.state.numDataBuffers,e.numBytes=this.state.numBytes,this.state.numStringTensors>0&&(e.unreliable=!0,e.reasons??=[],e.reasons.push(`Memory usage by string tensors is approximate (2 bytes per character)`)),e}async profile(e){this.state.profiling=!0;let t=this.state.numBytes,n=this.state.numTensors;this.state.activeProfile.kernels=[],this.state.activeProfile.result=await e(),this.state.profiling=!1,this.state.activeProfile.peakBytes=Math.max(...this.state.activeProfile.kernels.map(e=>e.totalBytesSnapshot)),this.state.activeProfile.newBytes=this.state.numBytes-t,this.state.activeProfile.newTensors=this.state.numTensors-n;for(let e of this.state.activeProfile.kernels)e.kernelTimeMs=await e.kernelTimeMs,e.extraInfo=await e.extraInfo;return this.state.activeProfile}isTapeOn(){return this.state.gradientDepth>0&&this.state.kernelDepth===0}addTapeNode(e,t,n,r,i,a){let o={id:this.state.nextTapeNodeId++,kernelName:e,inputs:t,outputs:n,saved:i},s=Pe(e);s!=null&&(r=s.gradFunc),r!=null&&(o.gradient=e=>(e=e.map((e,t)=>{if(e==null){let e=n[t],r=me(e.size,e.dtype);return this.makeTensor(r,e.shape,e.dtype)}return e}),r(e.length>1?e:e[0],i,a))),this.state.activeTape.push(o)}keep(e){return e.kept=!0,e}startTape(){this.state.gradientDepth===0&&(this.state.activeTape=[]),this.state.gradientDepth++}endTape(){this.state.gradientDepth--}startScope(e){let t={track:[],name:`unnamed scope`,id:this.state.nextScopeId++};e&&(t.name=e),this.state.scopeStack.push(t),this.state.activeScope=t}endScope(e){let t=_t(e),n=new Set(t.map(e=>e.id));for(let e=0;e<this.state.activeScope.track.length;e++){let t=this.state.activeScope.track[e];!t.kept&&!n.has(t.id)&&t.dispose()}let r=this.state.scopeStack.pop();this.state.activeScope=this.state.scopeStack.length===0?null:this.state.scopeStack[this.state.scopeStack.length-1],t.forEach(e=>{!e.kept&&e.scopeId===r.id&&this.track(e)})}gradients(e,t,n,r=!1){if(D(t.length>0,()=>`gradients() received an empty list of xs.`),n!=null&&n.dtype!==`float32`)throw Error(`dy must have 'float32' dtype, but has '${n.dtype}'`);let i=this.scopedRun(()=>this.startTape(),()=>this.endTape(),()=>this.tidy(`forward`,e));D(i instanceof H,()=>`The result y returned by f() must be a tensor.`);let a=Je(this.state.activeTape,t,i);if(!r&&a.length===0&&t.length>0)throw Error(`Cannot compute gradient of y=f(x) with respect to x. Make sure that the f you passed encloses all operations that lead from x to y.`);return this.tidy(`backward`,()=>{let e={};e[i.id]=n??Ct(i.shape),Ye(e,a,e=>this.tidy(e),Tt);let r=t.map(t=>e[t.id]);return this.state.gradientDepth===0&&(this.state.activeTape.forEach(e=>{for(let t of e.saved)t.dispose()}),this.state.activeTape=null),{value:i,grads:r}})}customGrad(e){return D(j(e),()=>`The f passed in customGrad(f) must be a function.`),(...t)=>{D(t.every(e=>e instanceof H),()=>`The args passed in customGrad(f)(x1, x2,...) must all be tensors`);let n,r={};return t.forEach((e,t)=>{r[t]=e}),this.runKernelFunc({forwardFunc:(r,i)=>(n=e(...t,i),D(n.value instanceof H,()=>"The function f passed in customGrad(f) must return an object where `obj.value` is a tensor"),D(j(n.gradFunc),()=>"The function f passed in customGrad(f) must return an object where `obj.gradFunc` is a function."),n.value),backwardsFunc:(e,r)=>{let i=n.gradFunc(e,r),a=Array.isArray(i)?i:[i];D(a.length===t.length,()=>"The function f passed in customGrad(f) must return an object where `obj.gradFunc` is a function that returns the same number of tensors as inputs passed to f(...)."),D(a.every(e=>e instanceof H),()=>"The function f passed in customGrad(f) must return an object where `obj.gradFunc` is a function that returns a list of only tensors.");let o={};return a.forEach((e,t)=>{o[t]=()=>e}),o},inputs:r})}}readSync(e){return this.state.tensorInfo.get(e).backend.readSync(e)}read(e){return this.state.tensorInfo.get(e).backend.read(e)}readToGPU(e,t){return this.state.tensorInfo.get(e).backend.readToGPU(e,t)}async time(e){let t=Ve(),n=await this.backend.time(e);return n.wallMs=Ve()-t,n}track(e){return this.state.activeScope!=null&&(e.scopeId=this.state.activeScope.id,this.state.activeScope.track.push(e)),e}get registeredVariables(){return this.state.registeredVariables}reset(){this.pendingBackendInitId++,this.state.dispose(),this.ENV.reset(),this.state=new xt;for(let e in this.registry)this.disposeRegisteredKernels(e),this.registry[e].dispose(),delete this.registry[e];this.backendName=null,this.backendInstance=null,this.pendingBackendInit=null}};St.nextTensorId=0,St.nextVariableId=0;function Ct(e){let t=pe(O(e),`float32`);return W.makeTensor(t,e,`float32`)}function wt(){let e=Ce();return e._tfengine??=new St(new _e(e)),xe(e._tfengine.ENV),it(()=>e._tfengine),e._tfengine}let W=wt();function Tt(e,t){let n={a:e,b:t};return W.runKernel(`Add`,n)}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Et(){return typeof window<`u`&&window.document!=null||typeof WorkerGlobalScope<`u`}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let G=F();G.registerFlag(`DEBUG`,()=>!1,e=>{e&&console.warn(`Debugging mode is ON. The output of every math call will be downloaded to CPU and checked for NaNs. This significantly impacts performance.`)}),G.registerFlag(`IS_BROWSER`,()=>Et()),G.registerFlag(`IS_NODE`,()=>typeof process<`u`&&process.versions!==void 0&&process.versions.node!==void 0),G.registerFlag(`IS_CHROME`,()=>typeof navigator<`u`&&navigator!=null&&navigator.userAgent!=null&&/Chrome/.test(navigator.userAgent)&&/Google Inc/.test(navigator.vendor)),G.registerFlag(`IS_SAFARI`,()=>typeof navigator<`u`&&navigator!=null&&navigator.userAgent!=null&&/Safari/.test(navigator.userAgent)&&/Apple/.test(navigator.vendor)),G.registerFlag(`PROD`,()=>!1),G.registerFlag(`TENSORLIKE_CHECK_SHAPE_CONSISTENCY`,()=>G.getBool(`DEBUG`)),G.registerFlag(`DEPRECATION_WARNINGS_ENABLED`,()=>!0),G.registerFlag(`IS_TEST`,()=>!1),G.registerFlag(`CHECK_COMPUTATION_FOR_ERRORS`,()=>G.getBool(`DEBUG`)),G.registerFlag(`WRAP_TO_IMAGEBITMAP`,()=>!1),G.registerFlag(`CANVAS2D_WILL_READ_FREQUENTLY_FOR_GPU`,()=>!1),G.registerFlag(`USE_SETTIMEOUTCUSTOM`,()=>!1);
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Dt(e,t){let n=e;if(z(e))return t===`string`?[]:[e.length];if(ht(e)){let t=e.channels||`RGBA`;return[e.height,e.width*t.length]}if(gt(e))return[e.buffer.size/(t==null?4:ae(t))];if(!Array.isArray(e))return[];let r=[];for(;Array.isArray(n)||z(n)&&t!==`string`;)r.push(n.length),n=n[0];return Array.isArray(e)&&F().getBool(`TENSORLIKE_CHECK_SHAPE_CONSISTENCY`)&&Ot(e,r,[]),r}function Ot(e,t,n){if(n||=[],!Array.isArray(e)&&!z(e)){D(t.length===0,()=>`Element arr[${n.join(`][`)}] is a primitive, but should be an array/TypedArray of ${t[0]} elements`);return}D(t.length>0,()=>`Element arr[${n.join(`][`)}] should be a primitive, but is an array of ${e.length} elements`),D(e.length===t[0],()=>`Element arr[${n.join(`][`)}] should have ${t[0]} elements, but has ${e.length} elements`);let r=t.slice(1);for(let t=0;t<e.length;++t)Ot(e[t],r,n.concat(t))}function kt(e,t,n,r){if(e!==`string_or_numeric`){if(e==null)throw Error(`Expected dtype cannot be null.`);if(e!==`numeric`&&e!==t||e===`numeric`&&t===`string`)throw Error(`Argument '${n}' passed to '${r}' must be ${e} tensor, but got ${t} tensor`)}}function K(e,t,n,r=`numeric`){if(e instanceof ot())return kt(r,e.dtype,t,n),e;let i=ue(e);if(i!==`string`&&[`bool`,`int32`,`float32`].indexOf(r)>=0&&(i=r),kt(r,i,t,n),e==null||!z(e)&&!Array.isArray(e)&&typeof e!=`number`&&typeof e!=`boolean`&&typeof e!=`string`){let r=e==null?`null`:e.constructor.name;throw Error(`Argument '${t}' passed to '${n}' must be a Tensor or TensorLike, but got '${r}'`)}let a=Dt(e,i);!z(e)&&!Array.isArray(e)&&(e=[e]);let o=i===`string`?B(e,[],!0):Be(e,i);return W.makeTensor(o,a,i)}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function q(e){let t=Object.keys(e);if(t.length!==1)throw Error(`Please provide an object with a single key (operation name) mapping to a function. Got an object with ${t.length} keys.`);let n=t[0],r=e[n];n.endsWith(`_`)&&(n=n.substring(0,n.length-1)),n+=`__op`;let i=(...e)=>{W.startScope(n);try{let t=r(...e);return he(t)&&console.error(`Cannot return a Promise inside of tidy.`),W.endScope(t),t}catch(e){throw W.endScope(null),e}};return Object.defineProperty(i,"name",{value:n,configurable:!0}),i}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function At(e,t,n,r){if(r==null)r=ue(e);else if(r===`complex64`)throw Error(`Cannot construct a complex64 tensor directly. Please use tf.complex(real, imag).`);if(gt(e)||ht(e)){if(r!==`float32`&&r!==`int32`)throw Error(`Creating tensor from GPU data only supports 'float32'|'int32' dtype, while the dtype is ${r}.`);return W.backend.createTensorFromGPUData(e,t||n,r)}if(!z(e)&&!Array.isArray(e)&&typeof e!=`number`&&typeof e!=`boolean`&&typeof e!=`string`)throw Error(`values passed to tensor(values) must be a number/boolean/string or an array of numbers/booleans/strings, or a TypedArray`);if(t!=null){N(t);let e=O(t),r=O(n);D(e===r,()=>`Based on the provided shape, [${t}], the tensor should have ${e} values but has ${r}`);for(let e=0;e<n.length;++e){let r=n[e],i=e!==n.length-1||r!==O(t.slice(e));D(n[e]===t[e]||!i,()=>`Error creating a new Tensor. Inferred shape (${n}) does not match the provided shape (${t}). `)}}return!z(e)&&!Array.isArray(e)&&(e=[e]),t||=n,e=r===`string`?B(e,[],!0):Be(e,r),W.makeTensor(e,t,r)}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function jt(e,t,n){return At(e,t,Dt(e,n),n)}var Mt=class e{static join(t){return new e(t).slice()}constructor(e){if(this.shards=[],this.previousShardIndex=0,e==null||(e instanceof Array||(e=[e]),e=e.map(e=>z(e)?e.buffer:e),e.length===0))return;this.bufferUniformSize=e[0].byteLength;let t=0;for(let n=0;n<e.length;n++){let r=e[n];n!==e.length-1&&r.byteLength!==this.bufferUniformSize&&(this.bufferUniformSize=void 0);let i=t+r.byteLength;this.shards.push({buffer:r,start:t,end:i}),t=i}this.shards.length===0&&(this.byteLength=0),this.byteLength=this.shards[this.shards.length-1].end}slice(e=0,t=this.byteLength){if(this.shards.length===0||(e=isNaN(Number(e))?0:e,t=isNaN(Number(t))?0:t,e=Math.max(0,e),t=Math.min(this.byteLength,t),t<=e))return/* @__PURE__ */ new ArrayBuffer(0);let n=this.findShardForByte(e);if(n===-1)throw Error(`Could not find start shard for byte ${e}`);let r=t-e,i=new ArrayBuffer(r),a=new Uint8Array(i),o=0;for(let r=n;r<this.shards.length;r++){let n=this.shards[r],i=e+o-n.start,s=o,c=Math.min(t,n.end)-n.start,l=new Uint8Array(n.buffer,i,c-i);if(a.set(l,s),o+=l.length,t<n.end)break}return i}findShardForByte(e){if(this.shards.length===0||e<0||e>=this.byteLength)return-1;if(this.bufferUniformSize!=null)return this.previousShardIndex=Math.floor(e/this.bufferUniformSize),this.previousShardIndex;function t(t){return e<t.start?-1:+(e>=t.end)}if(t(this.shards[this.previousShardIndex])===0)return this.previousShardIndex;let n=Nt(this.shards,t);return n===-1?-1:(this.previousShardIndex=n,this.previousShardIndex)}};function Nt(e,t){let n=0,r=e.length;for(;n<=r;){let i=Math.floor((r-n)/2)+n,a=t(e[i]);if(a===0)return i;a<0?r=i:n=i+1}return-1}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Pt(){return W}function J(e,t){return W.tidy(e,t)}function Y(e){_t(e).forEach(e=>e.dispose())}function Ft(e){return W.keep(e)}function It(e){return W.setBackend(e)}function Lt(e,t,n=1){return W.registerBackend(e,t,n)}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let Rt=typeof Buffer<`u`&&(typeof Blob>`u`||typeof atob>`u`||typeof btoa>`u`);function zt(e){return Rt?Buffer.byteLength(e,`utf8`):new Blob([e]).size}function Bt(e){if(Rt)return Buffer.from(e).toString(`base64`);let t=new Uint8Array(e),n=``;for(let e=0,r=t.length;e<r;e++)n+=String.fromCharCode(t[e]);return btoa(n)}function Vt(e){if(Rt){let t=Buffer.from(e,`base64`);return t.buffer.slice(t.byteOffset,t.byteOffset+t.byteLength)}let t=atob(e),n=new Uint8Array(t.length);for(let e=0;e<t.length;++e)n.set([t.charCodeAt(e)],e);return n.buffer}function Ht(e){if(e.modelTopology instanceof ArrayBuffer)throw Error(`Expected JSON model topology, received ArrayBuffer.`);return{dateSaved:/* @__PURE__ */ new Date,modelTopologyType:`JSON`,modelTopologyBytes:e.modelTopology==null?0:zt(JSON.stringify(e.modelTopology)),weightSpecsBytes:e.weightSpecs==null?0:zt(JSON.stringify(e.weightSpecs)),weightDataBytes:e.weightData==null?0:new Mt(e.weightData).byteLength}}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var Ut=class e{constructor(){this.saveRouters=[],this.loadRouters=[]}static getInstance(){return e.instance??=new e,e.instance}static registerSaveRouter(t){e.getInstance().saveRouters.push(t)}static registerLoadRouter(t){e.getInstance().loadRouters.push(t)}static getSaveHandlers(t){return e.getHandlers(t,`save`)}static getLoadHandlers(t,n){return e.getHandlers(t,`load`,n)}static getHandlers(t,n,r){let i=[];return(n===`load`?e.getInstance().loadRouters:e.getInstance().saveRouters).forEach(e=>{let n=e(t,r);n!==null&&i.push(n)}),i}};
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let Wt=`tensorflowjs`,Gt=`models_store`,Kt=`model_info_store`;function qt(){if(!F().getBool(`IS_BROWSER`))throw Error(`Failed to obtain IndexedDB factory because the current environmentis not a web browser.`);let e=typeof window>`u`?self:window,t=e.indexedDB||e.mozIndexedDB||e.webkitIndexedDB||e.msIndexedDB||e.shimIndexedDB;if(t==null)throw Error(`The current browser does not appear to support IndexedDB.`);return t}function Jt(e){let t=e.result;t.createObjectStore(Gt,{keyPath:`modelPath`}),t.createObjectStore(Kt,{keyPath:`modelPath`})}var Yt=class{constructor(e){if(this.indexedDB=qt(),e==null||!e)throw Error(`For IndexedDB, modelPath must not be null, undefined or empty.`);this.modelPath=e}async save(e){if(e.modelTopology instanceof ArrayBuffer)throw Error(`BrowserLocalStorage.save() does not support saving model topology in binary formats yet.`);return this.databaseAction(this.modelPath,e)}async load(){return this.databaseAction(this.modelPath)}databaseAction(e,t){return new Promise((e,n)=>{let r=this.indexedDB.open(Wt,1);r.onupgradeneeded=()=>Jt(r),r.onsuccess=()=>{let i=r.result;if(t==null){let t=i.transaction(Gt,`readonly`),r=t.objectStore(Gt).get(this.modelPath);r.onsuccess=()=>{if(r.result==null)return i.close(),n(/* @__PURE__ */ Error(`Cannot find model with path '${this.modelPath}' in IndexedDB.`));e(r.result.modelArtifacts)},r.onerror=e=>(i.close(),n(r.error)),t.oncomplete=()=>i.close()}else{t.weightData=Mt.join(t.weightData);let r=Ht(t),a=i.transaction(Kt,`readwrite`),o=a.objectStore(Kt),s;try{s=o.put({modelPath:this.modelPath,modelArtifactsInfo:r})}catch(e){return n(e)}let c;s.onsuccess=()=>{c=i.transaction(Gt,`readwrite`);let s=c.objectStore(Gt),l;try{l=s.put({modelPath:this.modelPath,modelArtifacts:t,modelArtifactsInfo:r})}catch(e){return n(e)}l.onsuccess=()=>e({modelArtifactsInfo:r}),l.onerror=e=>{o=a.objectStore(Kt);let t=o.delete(this.modelPath);t.onsuccess=()=>(i.close(),n(l.error)),t.onerror=e=>(i.close(),n(l.error))}},s.onerror=e=>(i.close(),n(s.error)),a.oncomplete=()=>{c==null?i.close():c.oncomplete=()=>i.close()}}},r.onerror=e=>n(r.error)})}};Yt.URL_SCHEME=`indexeddb://`;let Xt=e=>F().getBool(`IS_BROWSER`)&&!Array.isArray(e)&&e.startsWith(Yt.URL_SCHEME)?Zt(e.slice(Yt.URL_SCHEME.length)):null;Ut.registerSaveRouter(Xt),Ut.registerLoadRouter(Xt);function Zt(e){return new Yt(e)}function Qt(e){return e.startsWith(Yt.URL_SCHEME)?e.slice(Yt.URL_SCHEME.length):e}var $t=class{constructor(){this.indexedDB=qt()}async listModels(){return new Promise((e,t)=>{let n=this.indexedDB.open(Wt,1);n.onupgradeneeded=()=>Jt(n),n.onsuccess=()=>{let r=n.result,i=r.transaction(Kt,`readonly`),a=i.objectStore(Kt).getAll();a.onsuccess=()=>{let t={};for(let e of a.result)t[e.modelPath]=e.modelArtifactsInfo;e(t)},a.onerror=e=>(r.close(),t(a.error)),i.oncomplete=()=>r.close()},n.onerror=e=>t(n.error)})}async removeModel(e){return e=Qt(e),new Promise((t,n)=>{let r=this.indexedDB.open(Wt,1);r.onupgradeneeded=()=>Jt(r),r.onsuccess=()=>{let i=r.result,a=i.transaction(Kt,`readwrite`),o=a.objectStore(Kt),s=o.get(e),c;s.onsuccess=()=>{if(s.result==null)return i.close(),n(/* @__PURE__ */ Error(`Cannot find model with path '${e}' in IndexedDB.`));{let r=o.delete(e),a=()=>{c=i.transaction(Gt,`readwrite`);let r=c.objectStore(Gt).delete(e);r.onsuccess=()=>t(s.result.modelArtifactsInfo),r.onerror=e=>n(s.error)};r.onsuccess=a,r.onerror=e=>(a(),i.close(),n(s.error))}},s.onerror=e=>(i.close(),n(s.error)),a.oncomplete=()=>{c==null?i.close():c.oncomplete=()=>i.close()}},r.onerror=e=>n(r.error)})}};
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let en=`tensorflowjs_models`;function tn(e){return{info:[en,e,`info`].join(`/`),topology:[en,e,`model_topology`].join(`/`),weightSpecs:[en,e,`weight_specs`].join(`/`),weightData:[en,e,`weight_data`].join(`/`),modelMetadata:[en,e,`model_metadata`].join(`/`)}}function nn(e){for(let t of Object.values(e))window.localStorage.removeItem(t)}function rn(e){let t=e.split(`/`);if(t.length<3)throw Error(`Invalid key format: ${e}`);return t.slice(1,t.length-1).join(`/`)}function an(e){return e.startsWith(on.URL_SCHEME)?e.slice(on.URL_SCHEME.length):e}var on=class{constructor(e){if(!F().getBool(`IS_BROWSER`)||typeof window>`u`||window.localStorage===void 0)throw Error(`The current environment does not support local storage.`);if(this.LS=window.localStorage,e==null||!e)throw Error(`For local storage, modelPath must not be null, undefined or empty.`);this.modelPath=e,this.keys=tn(this.modelPath)}async save(e){if(e.modelTopology instanceof ArrayBuffer)throw Error(`BrowserLocalStorage.save() does not support saving model topology in binary formats yet.`);{let t=JSON.stringify(e.modelTopology),n=JSON.stringify(e.weightSpecs),r=Ht(e),i=Mt.join(e.weightData);try{this.LS.setItem(this.keys.info,JSON.stringify(r)),this.LS.setItem(this.keys.topology,t),this.LS.setItem(this.keys.weightSpecs,n),this.LS.setItem(this.keys.weightData,Bt(i));let a={format:e.format,generatedBy:e.generatedBy,convertedBy:e.convertedBy,signature:e.signature==null?void 0:e.signature,userDefinedMetadata:e.userDefinedMetadata==null?void 0:e.userDefinedMetadata,modelInitializer:e.modelInitializer==null?void 0:e.modelInitializer,initializerSignature:e.initializerSignature==null?void 0:e.initializerSignature,trainingConfig:e.trainingConfig==null?void 0:e.trainingConfig};return this.LS.setItem(this.keys.modelMetadata,JSON.stringify(a)),{modelArtifactsInfo:r}}catch{throw nn(this.keys),Error(`Failed to save model '${this.modelPath}' to local storage: size quota being exceeded is a possible cause of this failure: modelTopologyBytes=${r.modelTopologyBytes}, weightSpecsBytes=${r.weightSpecsBytes}, weightDataBytes=${r.weightDataBytes}.`)}}}async load(){let e=JSON.parse(this.LS.getItem(this.keys.info));if(e==null)throw Error(`In local storage, there is no model with name '${this.modelPath}'`);if(e.modelTopologyType!==`JSON`)throw Error(`BrowserLocalStorage does not support loading non-JSON model topology yet.`);let t={},n=JSON.parse(this.LS.getItem(this.keys.topology));if(n==null)throw Error(`In local storage, the topology of model '${this.modelPath}' is missing.`);t.modelTopology=n;let r=JSON.parse(this.LS.getItem(this.keys.weightSpecs));if(r==null)throw Error(`In local storage, the weight specs of model '${this.modelPath}' are missing.`);t.weightSpecs=r;let i=this.LS.getItem(this.keys.modelMetadata);if(i!=null){let e=JSON.parse(i);t.format=e.format,t.generatedBy=e.generatedBy,t.convertedBy=e.convertedBy,e.signature!=null&&(t.signature=e.signature),e.userDefinedMetadata!=null&&(t.userDefinedMetadata=e.userDefinedMetadata),e.modelInitializer!=null&&(t.modelInitializer=e.modelInitializer),e.initializerSignature!=null&&(t.initializerSignature=e.initializerSignature),e.trainingConfig!=null&&(t.trainingConfig=e.trainingConfig)}let a=this.LS.getItem(this.keys.weightData);if(a==null)throw Error(`In local storage, the binary weight values of model '${this.modelPath}' are missing.`);return t.weightData=Vt(a),t}};on.URL_SCHEME=`localstorage://`;let sn=e=>F().getBool(`IS_BROWSER`)&&!Array.isArray(e)&&e.startsWith(on.URL_SCHEME)?cn(e.slice(on.URL_SCHEME.length)):null;Ut.registerSaveRouter(sn),Ut.registerLoadRouter(sn);function cn(e){return new on(e)}var ln=class{constructor(){D(F().getBool(`IS_BROWSER`),()=>`Current environment is not a web browser`),D(typeof window>`u`||window.localStorage!==void 0,()=>`Current browser does not appear to support localStorage`),this.LS=window.localStorage}async listModels(){let e={};for(let t=0;t<this.LS.length;++t){let n=this.LS.key(t);if(n.startsWith(`tensorflowjs_models/`)&&n.endsWith(`/info`)){let t=rn(n);e[t]=JSON.parse(this.LS.getItem(n))}}return e}async removeModel(e){e=an(e);let t=tn(e);if(this.LS.getItem(t.info)==null)throw Error(`Cannot find model at path '${e}'`);let n=JSON.parse(this.LS.getItem(t.info));return nn(t),n}},un=class e{constructor(){
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
this.managers={}}static getInstance(){return e.instance??=new e,e.instance}static registerManager(t,n){D(t!=null,()=>`scheme must not be undefined or null.`),t.endsWith(`://`)&&(t=t.slice(0,t.indexOf(`://`))),D(t.length>0,()=>`scheme must not be an empty string.`);let r=e.getInstance();D(r.managers[t]==null,()=>`A model store manager is already registered for scheme '${t}'.`),r.managers[t]=n}static getManager(t){let n=e.getInstance().managers[t];if(n==null)throw Error(`Cannot find model manager for scheme '${t}'`);return n}static getSchemes(){return Object.keys(e.getInstance().managers)}},dn=class{constructor(){
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
this.messageName=`setTimeoutCustom`,this.functionRefs=[],this.handledMessageCount=0,this.hasEventListener=!1}fetch(e,t){return fetch(e,t)}now(){return performance.now()}encode(e,t){if(t!==`utf-8`&&t!==`utf8`)throw Error(`Browser's encoder only supports utf-8, but got ${t}`);return this.textEncoder??=new TextEncoder,this.textEncoder.encode(e)}decode(e,t){return new TextDecoder(t).decode(e)}setTimeoutCustom(e,t){typeof window>`u`||!F().getBool(`USE_SETTIMEOUTCUSTOM`)?setTimeout(e,t):(this.functionRefs.push(e),setTimeout(()=>{window.postMessage({name:this.messageName,index:this.functionRefs.length-1},`*`)},t),this.hasEventListener||(this.hasEventListener=!0,window.addEventListener(`message`,e=>{if(e.source===window&&e.data.name===this.messageName){e.stopPropagation();let t=this.functionRefs[e.data.index];t(),this.handledMessageCount++,this.handledMessageCount===this.functionRefs.length&&(this.functionRefs=[],this.handledMessageCount=0)}},!0)))}isTypedArray(e){return Re(e)}};if(F().get(`IS_BROWSER`)){F().setPlatform(`browser`,new dn);try{un.registerManager(on.URL_SCHEME,new ln)}catch{}try{un.registerManager(Yt.URL_SCHEME,new $t)}catch{}}var fn=/* @__PURE__ */ o(((e,t)=>{t.exports={}}));
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let pn={importFetch:()=>fn()},mn;var hn=class{constructor(){this.util=fn(),this.textEncoder=new this.util.TextEncoder}fetch(e,t){return F().global.fetch==null?(mn??=pn.importFetch(),mn(e,t)):F().global.fetch(e,t)}now(){let e=process.hrtime();return e[0]*1e3+e[1]/1e6}encode(e,t){if(t!==`utf-8`&&t!==`utf8`)throw Error(`Node built-in encoder only supports utf-8, but got ${t}`);return this.textEncoder.encode(e)}decode(e,t){return e.length===0?``:new this.util.TextDecoder(t).decode(e)}isTypedArray(e){return this.util.types.isFloat32Array(e)||this.util.types.isInt32Array(e)||this.util.types.isUint8Array(e)||this.util.types.isUint8ClampedArray(e)}};F().get(`IS_NODE`)&&!F().get(`IS_BROWSER`)&&F().setPlatform(`node`,new hn);
/**
* @license
* Copyright 2020 Google Inc. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function gn(e,t=`float32`,n){return t||=`float32`,N(e),new nt(e,t,n)}
/**
* @license
* Copyright 2020 Google Inc. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function _n(e,t){let n=K(e,`x`,`cast`);if(!ie(t))throw Error(`Failed to cast to unknown dtype ${t}`);if(t===`string`&&n.dtype!==`string`||t!==`string`&&n.dtype===`string`)throw Error(`Only strings can be casted to strings`);let r={x:n},i={dtype:t};return W.runKernel(Te,r,i)}let vn=/* @__PURE__ */ q({cast_:_n});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function yn(e){let t={x:K(e,`x`,`clone`,`string_or_numeric`)};return W.runKernel(De,t)}let bn=/* @__PURE__ */ q({clone_:yn});
/**
* @license
* Copyright 2020 Google Inc. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function xn(e,t=!1){console.log(e.toString(t))}
/**
* @license
* Copyright 2020 Google Inc. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
wt(),at({buffer:gn,cast:vn,clone:bn,print:xn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Sn(e,t){let n=K(e,`a`,`add`),r=K(t,`b`,`add`);[n,r]=U(n,r);let i={a:n,b:r};return W.runKernel(`Add`,i)}let X=/* @__PURE__ */ q({add_:Sn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Cn(e,t){let n=K(e,`a`,`floorDiv`),r=K(t,`b`,`floorDiv`);[n,r]=U(n,r);let i={a:n,b:r};return W.runKernel(`FloorDiv`,i)}let wn=/* @__PURE__ */ q({floorDiv_:Cn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Tn(e,t){let n=K(e,`a`,`div`),r=K(t,`b`,`div`);if([n,r]=U(n,r),n.dtype===`int32`&&r.dtype===`int32`)return wn(n,r);let i={a:n,b:r};return W.runKernel(`RealDiv`,i,{})}let Z=/* @__PURE__ */ q({div_:Tn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function En(e,t){let n=K(e,`a`,`mul`),r=K(t,`b`,`mul`);[n,r]=U(n,r);let i={a:n,b:r};return W.runKernel(`Multiply`,i)}let Q=/* @__PURE__ */ q({mul_:En});
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Dn(e){let t=K(e,`x`,`abs`);if(t.dtype===`complex64`){let e={x:t};return W.runKernel(`ComplexAbs`,e)}{let e={x:t};return W.runKernel(`Abs`,e)}}let On=/* @__PURE__ */ q({abs_:Dn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function kn(e,t,n,r,i,a,o=`channelsLast`){let[s,c]=Nn(t),l;if(o===`channelsLast`)l=[s,c,e[3],e[3]];else if(o===`channelsFirst`)l=[s,c,e[1],e[1]];else throw Error(`Unknown dataFormat ${o}`);return An(e,l,n,r,i,a,!1,o)}function An(e,t,n,r,i,a,o=!1,s=`channelsLast`){let[c,l,u,d]=[-1,-1,-1,-1];if(s===`channelsLast`)[c,l,u,d]=e;else if(s===`channelsFirst`)[c,d,l,u]=e;else throw Error(`Unknown dataFormat ${s}`);let[f,p,,m]=t,[h,g]=Nn(n),[_,v]=Nn(r),y=Pn(f,_),b=Pn(p,v),{padInfo:x,outHeight:S,outWidth:C}=Fn(i,l,u,h,g,y,b,a,s),w=o?m*d:m,T;return s===`channelsFirst`?T=[c,w,S,C]:s===`channelsLast`&&(T=[c,S,C,w]),{batchSize:c,dataFormat:s,inHeight:l,inWidth:u,inChannels:d,outHeight:S,outWidth:C,outChannels:w,padInfo:x,strideHeight:h,strideWidth:g,filterHeight:f,filterWidth:p,effectiveFilterHeight:y,effectiveFilterWidth:b,dilationHeight:_,dilationWidth:v,inShape:e,outShape:T,filterShape:t}}function jn(e,t,n,r,i){r??=Mn(e,t,n);let a=e[0],o=e[1];return[In((a-t+2*r)/n+1,i),In((o-t+2*r)/n+1,i)]}function Mn(e,t,n,r=1){let i=Pn(t,r);return Math.floor((e[0]*(n-1)-n+i)/2)}function Nn(e){return typeof e==`number`?[e,e,e]:e.length===2?[e[0],e[1],1]:e}function Pn(e,t){return t<=1?e:e+(e-1)*(t-1)}function Fn(e,t,n,r,i,a,o,s,c){let l,u,d;if(typeof e==`number`){l={top:e,bottom:e,left:e,right:e,type:e===0?`VALID`:`NUMBER`};let i=jn([t,n],a,r,e,s);u=i[0],d=i[1]}else if(e===`same`){u=Math.ceil(t/r),d=Math.ceil(n/i);let e=Math.max(0,(u-1)*r+a-t),s=Math.max(0,(d-1)*i+o-n),c=Math.floor(e/2),f=e-c,p=Math.floor(s/2);l={top:c,bottom:f,left:p,right:s-p,type:`SAME`}}else if(e===`valid`)l={top:0,bottom:0,left:0,right:0,type:`VALID`},u=Math.ceil((t-a+1)/r),d=Math.ceil((n-o+1)/i);else if(typeof e==`object`){let f=c===`channelsLast`?e[1][0]:e[2][0],p=c===`channelsLast`?e[1][1]:e[2][1],m=c===`channelsLast`?e[2][0]:e[3][0],h=c===`channelsLast`?e[2][1]:e[3][1];l={top:f,bottom:p,left:m,right:h,type:f===0&&p===0&&m===0&&h===0?`VALID`:`EXPLICIT`},u=In((t-a+f+p)/r+1,s),d=In((n-o+m+h)/i+1,s)}else throw Error(`Unknown padding parameter: ${e}`);return{padInfo:l,outHeight:u,outWidth:d}}function In(e,t){if(!t)return Math.trunc(e);switch(t){case`round`:return Math.round(e);case`ceil`:return Math.ceil(e);case`floor`:return Math.floor(e);default:throw Error(`Unknown roundingMode ${t}`)}}
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Ln(e,t,n){N(e),n||=ue(t);let r={shape:e,value:t,dtype:n};return W.runKernel(`Fill`,{},r)}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Rn(e,t){let n=Math.max(e.length,t.length),r=Array(n);for(let i=0;i<n;i++){let a=e[e.length-i-1];a??=1;let o=t[t.length-i-1];if(o??=1,a===1)r[n-i-1]=o;else if(o===1)r[n-i-1]=a;else if(a!==o){let n=`Operands could not be broadcast together with shapes ${e} and ${t}.`;throw Error(n)}else r[n-i-1]=a}return r}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function zn(e){let t={x:K(e,`x`,`zerosLike`)};return W.runKernel(`ZerosLike`,t)}let $=/* @__PURE__ */ q({zerosLike_:zn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Bn(e,t){let n=K(e,`base`,`pow`),r=K(t,`exp`,`pow`);[n,r]=U(n,r);let i={a:n,b:r};return W.runKernel(`Pow`,i)}let Vn=/* @__PURE__ */ q({pow_:Bn});
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Hn(e,t){if((z(e)&&t!==`string`||Array.isArray(e))&&t!==`complex64`)throw Error(`Error creating a new Scalar: value must be a primitive (number|boolean|string)`);if(t===`string`&&z(e)&&!(e instanceof Uint8Array))throw Error("When making a scalar from encoded string, the value must be `Uint8Array`.");return At(e,[],[],t)}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Un(e){let t={x:K(e,`x`,`sqrt`,`float32`)};return W.runKernel(`Sqrt`,t)}let Wn=/* @__PURE__ */ q({sqrt_:Un});
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Gn(e){let t=K(e,`x`,`square`);return W.runKernel(`Square`,{x:t},{})}let Kn=/* @__PURE__ */ q({square_:Gn});
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function qn(e,t){D(j(e),()=>`The f passed in variableGrads(f) must be a function`),D(t==null||Array.isArray(t)&&t.every(e=>e instanceof st),()=>`The varList passed in variableGrads(f, varList) must be an array of variables`);let n=t!=null;if(!n){t=[];for(let e in W.registeredVariables)t.push(W.registeredVariables[e])}let r=n?t.filter(e=>!e.trainable):null,i=t.length;t=t.filter(e=>e.trainable),D(t.length>0,()=>`variableGrads() expects at least one of the input variables to be trainable, but none of the ${i} variables is trainable.`);let{value:a,grads:o}=W.gradients(e,t,null,!0);D(o.some(e=>e!=null),()=>`Cannot find a connection between any variable and the result of the loss function y=f(x). Please make sure the operations that use variables are inside the function f passed to minimize().`),D(a.rank===0,()=>`The f passed in variableGrads(f) must return a scalar, but it returned a rank-${a.rank} tensor`);let s={};return t.forEach((e,t)=>{o[t]!=null&&(s[e.name]=o[t])}),r?.forEach(e=>s[e.name]=null),{value:a,grads:s}}
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Jn(e,t){let n=K(e,`a`,`sub`),r=K(t,`b`,`sub`);[n,r]=U(n,r);let i={a:n,b:r};return W.runKernel(`Sub`,i)}let Yn=/* @__PURE__ */ q({sub_:Jn});
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Xn(e,t){let n=K(e,`a`,`maximum`),r=K(t,`b`,`maximum`);[n,r]=U(n,r),n.dtype===`bool`&&(n=vn(n,`int32`),r=vn(r,`int32`)),Rn(n.shape,r.shape);let i={a:n,b:r};return W.runKernel(`Maximum`,i)}let Zn=/* @__PURE__ */ q({maximum_:Xn}),Qn=/* @__PURE__ */ new Map,$n=/* @__PURE__ */ new Map
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;var er=class{getClassName(){return this.constructor.className}static fromConfig(e,t){return new e(t)}},tr=class e{constructor(){this.classNameMap={}}static getMap(){return e.instance??=new e,e.instance}static register(t){e.getMap().classNameMap[t.className]=[t,t.fromConfig]}};function nr(e,t,n){D(e.className!=null,()=>`Class being registered does not have the static className property defined.`),D(typeof e.className==`string`,()=>`className is required to be a string, but got type `+typeof e.className),D(e.className.length>0,()=>`Class being registered has an empty-string as its className, which is disallowed.`),t===void 0&&(t=`Custom`),n===void 0&&(n=e.className);let r=n,i=t+`>`+r;return tr.register(e),Qn.set(i,e),$n.set(e,i),e}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var rr=class extends er{minimize(e,t=!1,n){let{value:r,grads:i}=this.computeGradients(e,n);if(n!=null){let e=n.map(e=>({name:e.name,tensor:i[e.name]}));this.applyGradients(e)}else this.applyGradients(i);return Y(i),t?r:(r.dispose(),null)}get iterations(){return this.iterations_??=0,this.iterations_}incrementIterations(){this.iterations_=this.iterations+1}computeGradients(e,t){return qn(e,t)}dispose(){this.iterations_!=null&&Y(this.iterations_)}async saveIterations(){return this.iterations_??=0,{name:`iter`,tensor:Hn(this.iterations_,`int32`)}}async getWeights(){throw Error(`getWeights() is not implemented for this optimizer yet.`)}async setWeights(e){throw Error(`setWeights() is not implemented for this optimizer class ${this.getClassName()}`)}async extractIterations(e){return this.iterations_=(await e[0].tensor.data())[0],e.slice(1)}};Object.defineProperty(rr,Symbol.hasInstance,{value:e=>e.minimize!=null&&e.computeGradients!=null&&e.applyGradients!=null});
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var ir=class extends rr{static get className(){return`Adadelta`}constructor(e,t,n=null){super(),this.learningRate=e,this.rho=t,this.epsilon=n,this.accumulatedGrads=[],this.accumulatedUpdates=[],n??(this.epsilon=W.backend.epsilon())}applyGradients(e){(Array.isArray(e)?e.map(e=>e.name):Object.keys(e)).forEach((t,n)=>{let r=W.registeredVariables[t];this.accumulatedGrads[n]??(this.accumulatedGrads[n]={originalName:`${t}/accum_grad`,variable:J(()=>$(r).variable(!1))}),this.accumulatedUpdates[n]??(this.accumulatedUpdates[n]={originalName:`${t}/accum_var`,variable:J(()=>$(r).variable(!1))});let i=Array.isArray(e)?e[n].tensor:e[t];if(i==null)return;let a=this.accumulatedGrads[n].variable,o=this.accumulatedUpdates[n].variable;J(()=>{let e=X(Q(a,this.rho),Q(Kn(i),1-this.rho)),t=Q(Z(Wn(X(o,this.epsilon)),Wn(X(a,this.epsilon))),i),n=X(Q(o,this.rho),Q(Kn(t),1-this.rho));a.assign(e),o.assign(n);let s=X(Q(t,-this.learningRate),r);r.assign(s)})}),this.incrementIterations()}dispose(){this.accumulatedUpdates!=null&&(Y(this.accumulatedGrads.map(e=>e.variable)),Y(this.accumulatedUpdates.map(e=>e.variable)))}async getWeights(){let e=[...this.accumulatedGrads,...this.accumulatedUpdates];return[await this.saveIterations()].concat(e.map(e=>({name:e.originalName,tensor:e.variable})))}async setWeights(e){e=await this.extractIterations(e);let t=e.length/2;this.accumulatedGrads=e.slice(0,t).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)})),this.accumulatedUpdates=e.slice(t,t*2).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)}))}getConfig(){return{learningRate:this.learningRate,rho:this.rho,epsilon:this.epsilon}}static fromConfig(e,t){return new e(t.learningRate,t.rho,t.epsilon)}},ar=class extends rr{static get className(){
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
return`Adagrad`}constructor(e,t=.1){super(),this.learningRate=e,this.initialAccumulatorValue=t,this.accumulatedGrads=[]}applyGradients(e){(Array.isArray(e)?e.map(e=>e.name):Object.keys(e)).forEach((t,n)=>{let r=W.registeredVariables[t];this.accumulatedGrads[n]??(this.accumulatedGrads[n]={originalName:`${t}/accumulator`,variable:J(()=>Ln(r.shape,this.initialAccumulatorValue).variable(!1))});let i=Array.isArray(e)?e[n].tensor:e[t];if(i==null)return;let a=this.accumulatedGrads[n].variable;J(()=>{let e=X(a,Kn(i));a.assign(e);let t=X(Q(Z(i,Wn(X(e,W.backend.epsilon()))),-this.learningRate),r);r.assign(t)})}),this.incrementIterations()}dispose(){this.accumulatedGrads!=null&&Y(this.accumulatedGrads.map(e=>e.variable))}async getWeights(){return[await this.saveIterations()].concat(this.accumulatedGrads.map(e=>({name:e.originalName,tensor:e.variable})))}async setWeights(e){e=await this.extractIterations(e),this.accumulatedGrads=e.map(e=>({originalName:e.name,variable:e.tensor.variable(!1)}))}getConfig(){return{learningRate:this.learningRate,initialAccumulatorValue:this.initialAccumulatorValue}}static fromConfig(e,t){return new e(t.learningRate,t.initialAccumulatorValue)}},or=class extends rr{static get className(){
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
return`Adam`}constructor(e,t,n,r=null){super(),this.learningRate=e,this.beta1=t,this.beta2=n,this.epsilon=r,this.accumulatedFirstMoment=[],this.accumulatedSecondMoment=[],J(()=>{this.accBeta1=Hn(t).variable(),this.accBeta2=Hn(n).variable()}),r??(this.epsilon=W.backend.epsilon())}applyGradients(e){let t=Array.isArray(e)?e.map(e=>e.name):Object.keys(e);J(()=>{let n=Yn(1,this.accBeta1),r=Yn(1,this.accBeta2);t.forEach((t,i)=>{let a=W.registeredVariables[t];this.accumulatedFirstMoment[i]??(this.accumulatedFirstMoment[i]={originalName:`${t}/m`,variable:J(()=>$(a).variable(!1))}),this.accumulatedSecondMoment[i]??(this.accumulatedSecondMoment[i]={originalName:`${t}/v`,variable:J(()=>$(a).variable(!1))});let o=Array.isArray(e)?e[i].tensor:e[t];if(o==null)return;let s=this.accumulatedFirstMoment[i].variable,c=this.accumulatedSecondMoment[i].variable,l=X(Q(s,this.beta1),Q(o,1-this.beta1)),u=X(Q(c,this.beta2),Q(Kn(o),1-this.beta2)),d=Z(l,n),f=Z(u,r);s.assign(l),c.assign(u);let p=X(Q(Z(d,X(Wn(f),this.epsilon)),-this.learningRate),a);a.assign(p)}),this.accBeta1.assign(Q(this.accBeta1,this.beta1)),this.accBeta2.assign(Q(this.accBeta2,this.beta2))}),this.incrementIterations()}dispose(){this.accBeta1.dispose(),this.accBeta2.dispose(),this.accumulatedFirstMoment!=null&&Y(this.accumulatedFirstMoment.map(e=>e.variable)),this.accumulatedSecondMoment!=null&&Y(this.accumulatedSecondMoment.map(e=>e.variable))}async getWeights(){let e=[...this.accumulatedFirstMoment,...this.accumulatedSecondMoment];return[await this.saveIterations()].concat(e.map(e=>({name:e.originalName,tensor:e.variable})))}async setWeights(e){e=await this.extractIterations(e),J(()=>{this.accBeta1.assign(Vn(this.beta1,this.iterations_+1)),this.accBeta2.assign(Vn(this.beta2,this.iterations_+1))});let t=e.length/2;this.accumulatedFirstMoment=e.slice(0,t).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)})),this.accumulatedSecondMoment=e.slice(t,t*2).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)}))}getConfig(){return{learningRate:this.learningRate,beta1:this.beta1,beta2:this.beta2,epsilon:this.epsilon}}static fromConfig(e,t){return new e(t.learningRate,t.beta1,t.beta2,t.epsilon)}},sr=class extends rr{static get className(){
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
return`Adamax`}constructor(e,t,n,r=null,i=0){super(),this.learningRate=e,this.beta1=t,this.beta2=n,this.epsilon=r,this.decay=i,this.accumulatedFirstMoment=[],this.accumulatedWeightedInfNorm=[],J(()=>{this.iteration=Hn(0).variable(),this.accBeta1=Hn(t).variable()}),r??(this.epsilon=W.backend.epsilon())}applyGradients(e){let t=Array.isArray(e)?e.map(e=>e.name):Object.keys(e);J(()=>{let n=Yn(1,this.accBeta1),r=Z(-this.learningRate,X(Q(this.iteration,this.decay),1));t.forEach((t,i)=>{let a=W.registeredVariables[t];this.accumulatedFirstMoment[i]??(this.accumulatedFirstMoment[i]={originalName:`${t}/m`,variable:$(a).variable(!1)}),this.accumulatedWeightedInfNorm[i]??(this.accumulatedWeightedInfNorm[i]={originalName:`${t}/v`,variable:$(a).variable(!1)});let o=Array.isArray(e)?e[i].tensor:e[t];if(o==null)return;let s=this.accumulatedFirstMoment[i].variable,c=this.accumulatedWeightedInfNorm[i].variable,l=X(Q(s,this.beta1),Q(o,1-this.beta1)),u=Q(c,this.beta2),d=On(o),f=Zn(u,d);s.assign(l),c.assign(f);let p=X(Q(Z(r,n),Z(l,X(f,this.epsilon))),a);a.assign(p)}),this.iteration.assign(X(this.iteration,1)),this.accBeta1.assign(Q(this.accBeta1,this.beta1))}),this.incrementIterations()}dispose(){this.accBeta1.dispose(),this.iteration.dispose(),this.accumulatedFirstMoment!=null&&Y(this.accumulatedFirstMoment.map(e=>e.variable)),this.accumulatedWeightedInfNorm!=null&&Y(this.accumulatedWeightedInfNorm.map(e=>e.variable))}async getWeights(){throw Error(`getWeights() is not implemented for Adamax yet.`)}async setWeights(e){throw Error(`setWeights() is not implemented for Adamax yet.`)}getConfig(){return{learningRate:this.learningRate,beta1:this.beta1,beta2:this.beta2,epsilon:this.epsilon,decay:this.decay}}static fromConfig(e,t){return new e(t.learningRate,t.beta1,t.beta2,t.epsilon,t.decay)}},cr=class extends rr{static get className(){
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
return`SGD`}constructor(e){super(),this.learningRate=e,this.setLearningRate(e)}applyGradients(e){(Array.isArray(e)?e.map(e=>e.name):Object.keys(e)).forEach((t,n)=>{let r=Array.isArray(e)?e[n].tensor:e[t];if(r==null)return;let i=W.registeredVariables[t];J(()=>{let e=X(Q(this.c,r),i);i.assign(e)})}),this.incrementIterations()}setLearningRate(e){this.learningRate=e,this.c!=null&&this.c.dispose(),this.c=Ft(Hn(-e))}dispose(){this.c.dispose()}async getWeights(){return[await this.saveIterations()]}async setWeights(e){if(e=await this.extractIterations(e),e.length!==0)throw Error(`SGD optimizer does not have settable weights.`)}getConfig(){return{learningRate:this.learningRate}}static fromConfig(e,t){return new e(t.learningRate)}}
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
/**
* @license
* Copyright 2018 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;
/**
* @license
* Copyright 2022 Google LLC.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let lr=[ir,ar,or,sr,class extends cr{static get className(){return`Momentum`}constructor(e,t,n=!1){super(e),this.learningRate=e,this.momentum=t,this.useNesterov=n,this.accumulations=[],this.m=Hn(this.momentum)}applyGradients(e){(Array.isArray(e)?e.map(e=>e.name):Object.keys(e)).forEach((t,n)=>{let r=W.registeredVariables[t];this.accumulations[n]??(this.accumulations[n]={originalName:`${t}/momentum`,variable:J(()=>$(r).variable(!1))});let i=this.accumulations[n].variable,a=Array.isArray(e)?e[n].tensor:e[t];a!=null&&J(()=>{let e,t=X(Q(this.m,i),a);e=this.useNesterov?X(Q(this.c,X(a,Q(t,this.m))),r):X(Q(this.c,t),r),i.assign(t),r.assign(e)})}),this.incrementIterations()}dispose(){this.m.dispose(),this.accumulations!=null&&Y(this.accumulations.map(e=>e.variable))}setMomentum(e){this.momentum=e}async getWeights(){return[await this.saveIterations()].concat(this.accumulations.map(e=>({name:e.originalName,tensor:e.variable})))}async setWeights(e){e=await this.extractIterations(e),this.accumulations=e.map(e=>({originalName:e.name,variable:e.tensor.variable(!1)}))}getConfig(){return{learningRate:this.learningRate,momentum:this.momentum,useNesterov:this.useNesterov}}static fromConfig(e,t){return new e(t.learningRate,t.momentum,t.useNesterov)}},class extends rr{static get className(){return`RMSProp`}constructor(e,t=.9,n=0,r=null,i=!1){if(super(),this.learningRate=e,this.decay=t,this.momentum=n,this.epsilon=r,this.accumulatedMeanSquares=[],this.accumulatedMoments=[],this.accumulatedMeanGrads=[],this.centered=i,r??(this.epsilon=W.backend.epsilon()),e==null)throw Error(`learningRate for RMSPropOptimizer must be defined.`)}applyGradients(e){(Array.isArray(e)?e.map(e=>e.name):Object.keys(e)).forEach((t,n)=>{let r=W.registeredVariables[t];this.accumulatedMeanSquares[n]??(this.accumulatedMeanSquares[n]={originalName:`${t}/rms`,variable:J(()=>$(r).variable(!1))}),this.accumulatedMoments[n]??(this.accumulatedMoments[n]={originalName:`${t}/momentum`,variable:J(()=>$(r).variable(!1))}),this.accumulatedMeanGrads[n]==null&&this.centered&&(this.accumulatedMeanGrads[n]={originalName:`${t}/mg`,variable:J(()=>$(r).variable(!1))});let i=Array.isArray(e)?e[n].tensor:e[t];if(i==null)return;let a=this.accumulatedMeanSquares[n].variable,o=this.accumulatedMoments[n].variable;J(()=>{let e=X(Q(a,this.decay),Q(Kn(i),1-this.decay));if(this.centered){let t=this.accumulatedMeanGrads[n].variable,s=X(Q(t,this.decay),Q(i,1-this.decay)),c=Z(Q(i,this.learningRate),Wn(Yn(e,X(Kn(s),this.epsilon)))),l=X(Q(o,this.momentum),c);a.assign(e),t.assign(s),o.assign(l);let u=Yn(r,l);r.assign(u)}else{let e=X(Q(a,this.decay),Q(Kn(i),1-this.decay)),t=X(Q(o,this.momentum),Z(Q(i,this.learningRate),Wn(X(e,this.epsilon))));a.assign(e),o.assign(t);let n=Yn(r,t);r.assign(n)}})}),this.incrementIterations()}dispose(){this.accumulatedMeanSquares!=null&&Y(this.accumulatedMeanSquares.map(e=>e.variable)),this.accumulatedMeanGrads!=null&&this.centered&&Y(this.accumulatedMeanGrads.map(e=>e.variable)),this.accumulatedMoments!=null&&Y(this.accumulatedMoments.map(e=>e.variable))}async getWeights(){let e=[...this.accumulatedMeanSquares,...this.accumulatedMoments];return this.centered&&e.push(...this.accumulatedMeanGrads),[await this.saveIterations()].concat(e.map(e=>({name:e.originalName,tensor:e.variable})))}async setWeights(e){e=await this.extractIterations(e);let t=this.centered?e.length/3:e.length/2;this.accumulatedMeanSquares=e.slice(0,t).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)})),this.accumulatedMoments=e.slice(t,t*2).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)})),this.centered&&(this.accumulatedMeanGrads=e.slice(t*2,t*3).map(e=>({originalName:e.name,variable:e.tensor.variable(!1)})))}getConfig(){return{learningRate:this.learningRate,decay:this.decay,momentum:this.momentum,epsilon:this.epsilon,centered:this.centered}}static fromConfig(e,t){return new e(t.learningRate,t.decay,t.momentum,t.epsilon,t.centered)}},cr];function ur(){for(let e of lr)nr(e)}
/**
* @license
* Copyright 2017 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
ur();
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let dr=F();dr.registerFlag(`WASM_HAS_SIMD_SUPPORT`,async()=>{try{return WebAssembly.validate(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,10,9,1,7,0,65,0,253,15,26,11]))}catch{return!1}}),dr.registerFlag(`WASM_HAS_MULTITHREAD_SUPPORT`,async()=>{if(dr.get(`IS_NODE`))return!1;try{return new MessageChannel().port1.postMessage(new SharedArrayBuffer(1)),WebAssembly.validate(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,5,4,1,3,1,1,10,11,1,9,0,65,0,254,16,2,0,26,11]))}catch{return!1}});var fr=/* @__PURE__ */ o(((e,t)=>{var n=(()=>{var e=typeof document<`u`&&document.currentScript?document.currentScript.src:void 0;return typeof __filename<`u`&&(e||=__filename),(function(t){t||={};function n(){return A.buffer!=j&&N(A.buffer),M}function r(){return A.buffer!=j&&N(A.buffer),de}function i(){return A.buffer!=j&&N(A.buffer),fe}function a(){return A.buffer!=j&&N(A.buffer),pe}function o(){return A.buffer!=j&&N(A.buffer),me}var s=t===void 0?{}:t,c,l;s.ready=new Promise(function(e,t){c=e,l=t});var u;typeof process<`u`&&process.listeners&&(u={uncaughtException:process.listeners(`uncaughtException`),unhandledRejection:process.listeners(`unhandledRejection`)});var d=Object.assign({},s),f=[],p=(e,t)=>{throw t},m=typeof window==`object`,h=typeof importScripts==`function`,g=typeof process==`object`&&typeof process.versions==`object`&&typeof process.versions.node==`string`,_=s.ENVIRONMENT_IS_PTHREAD||!1,v=``;function y(e){return s.locateFile?s.locateFile(e,v):v+e}var b,x,S;function C(e){e instanceof Ie||O(`exiting due to exception: `+e)}if(g){var w=fn(),T=fn();v=h?T.dirname(v)+`/`:__dirname+`/`,b=(e,t)=>(e=L(e)?new URL(e):T.normalize(e),w.readFileSync(e,t?void 0:`utf8`)),S=e=>{var t=b(e,!0);return t.buffer||(t=new Uint8Array(t)),t},x=(e,t,n)=>{e=L(e)?new URL(e):T.normalize(e),w.readFile(e,function(e,r){e?n(e):t(r.buffer)})},process.argv.length>1&&process.argv[1].replace(/\\/g,`/`),f=process.argv.slice(2),process.on(`uncaughtException`,function(e){if(!(e instanceof Ie))throw e}),process.on(`unhandledRejection`,function(e){throw e}),p=(e,t)=>{if(ye())throw process.exitCode=e,t;C(t),process.exit(e)},s.inspect=function(){return`[Emscripten Module object]`};let e;try{e=fn()}catch(e){throw console.error(`The "worker_threads" module is not supported in this node.js build - perhaps a newer version is needed?`),e}global.Worker=e.Worker}else(m||h)&&(h?v=self.location.href:typeof document<`u`&&document.currentScript&&(v=document.currentScript.src),e!==void 0&&e&&(v=e),v=v.indexOf(`blob:`)===0?``:v.substr(0,v.replace(/[?#].*/,``).lastIndexOf(`/`)+1),g||(b=e=>{var t=new XMLHttpRequest;return t.open(`GET`,e,!1),t.send(null),t.responseText},h&&(S=e=>{var t=new XMLHttpRequest;return t.open(`GET`,e,!1),t.responseType=`arraybuffer`,t.send(null),new Uint8Array(t.response)}),x=(e,t,n)=>{var r=new XMLHttpRequest;r.open(`GET`,e,!0),r.responseType=`arraybuffer`,r.onload=()=>{r.status==200||r.status==0&&r.response?t(r.response):n()},r.onerror=n,r.send(null)}));g&&typeof performance>`u`&&(global.performance=fn().performance);var ee=console.log.bind(console),E=console.warn.bind(console);g&&(ee=e=>w.writeSync(1,e+`
`),E=e=>w.writeSync(2,e+`
`));var D=s.print||ee,O=s.printErr||E;Object.assign(s,d),d=null,s.arguments&&(f=s.arguments),s.thisProgram&&s.thisProgram,s.quit&&(p=s.quit),Atomics.load,Atomics.store,Atomics.compareExchange;var k;s.wasmBinary&&(k=s.wasmBinary);var te=s.noExitRuntime||!0;typeof WebAssembly!=`object`&&ke(`no native wasm support detected`);var A,ne,re=!1,ie;function ae(e,t){e||ke(t)}var oe=typeof TextDecoder<`u`?new TextDecoder(`utf8`):void 0;function se(e,t,n){t>>>=0;for(var r=t+n,i=t;e[i]&&!(i>=r);)++i;if(i-t>16&&e.buffer&&oe)return oe.decode(e.buffer instanceof SharedArrayBuffer?e.slice(t,i):e.subarray(t,i));for(var a=``;t<i;){var o=e[t++];if(!(o&128))a+=String.fromCharCode(o);else{var s=e[t++]&63;if((o&224)==192)a+=String.fromCharCode((o&31)<<6|s);else{var c=e[t++]&63;if(o=(o&240)==224?(o&15)<<12|s<<6|c:(o&7)<<18|s<<12|c<<6|e[t++]&63,o<65536)a+=String.fromCharCode(o);else{var l=o-65536;a+=String.fromCharCode(55296|l>>10,56320|l&1023)}}}}return a}function ce(e,t){return e>>>=0,e?se(r(),e,t):``}function le(e,t,n,r){if(n>>>=0,!(r>0))return 0;for(var i=n,a=n+r-1,o=0;o<e.length;++o){var s=e.charCodeAt(o);if(s>=55296&&s<=57343){var c=e.charCodeAt(++o);s=65536+((s&1023)<<10)|c&1023}if(s<=127){if(n>=a)break;t[n++>>>0]=s}else if(s<=2047){if(n+1>=a)break;t[n++>>>0]=192|s>>6,t[n++>>>0]=128|s&63}else if(s<=65535){if(n+2>=a)break;t[n++>>>0]=224|s>>12,t[n++>>>0]=128|s>>6&63,t[n++>>>0]=128|s&63}else{if(n+3>=a)break;t[n++>>>0]=240|s>>18,t[n++>>>0]=128|s>>12&63,t[n++>>>0]=128|s>>6&63,t[n++>>>0]=128|s&63}}return t[n>>>0]=0,n-i}function ue(e,t,n){return le(e,r(),t,n)}var j,M,de,fe,pe,me;_&&(j=s.buffer);function N(e){j=e,s.HEAP8=M=new Int8Array(e),s.HEAP16=new Int16Array(e),s.HEAP32=fe=new Int32Array(e),s.HEAPU8=de=new Uint8Array(e),s.HEAPU16=new Uint16Array(e),s.HEAPU32=pe=new Uint32Array(e),s.HEAPF32=new Float32Array(e),s.HEAPF64=me=new Float64Array(e)}var he=s.INITIAL_MEMORY||16777216;if(_)A=s.wasmMemory,j=s.buffer;else if(s.wasmMemory)A=s.wasmMemory;else if(A=new WebAssembly.Memory({initial:he/65536,maximum:65536,shared:!0}),!(A.buffer instanceof SharedArrayBuffer))throw O(`requested a shared WebAssembly.Memory but the returned buffer is not a SharedArrayBuffer, indicating that while the browser has SharedArrayBuffer it does not have WebAssembly threads support - you may need to set a flag`),g&&O(`(on node you may need: --experimental-wasm-threads --experimental-wasm-bulk-memory and/or recent version)`),Error(`bad memory`);A&&(j=A.buffer),he=j.byteLength,N(j);var ge,_e=[],P=[],ve=[];function ye(){return te}function F(){if(s.preRun)for(typeof s.preRun==`function`&&(s.preRun=[s.preRun]);s.preRun.length;)Se(s.preRun.shift());Ge(_e)}function be(){_||Ge(P)}function xe(){if(!_){if(s.postRun)for(typeof s.postRun==`function`&&(s.postRun=[s.postRun]);s.postRun.length;)we(s.postRun.shift());Ge(ve)}}function Se(e){_e.unshift(e)}function Ce(e){P.unshift(e)}function we(e){ve.unshift(e)}var I=0,Te=null,Ee=null;function De(e){I++,s.monitorRunDependencies&&s.monitorRunDependencies(I)}function Oe(e){if(I--,s.monitorRunDependencies&&s.monitorRunDependencies(I),I==0&&(Te!==null&&(clearInterval(Te),Te=null),Ee)){var t=Ee;Ee=null,t()}}function ke(e){s.onAbort&&s.onAbort(e),e=`Aborted(`+e+`)`,O(e),re=!0,ie=1,e+=`. Build with -sASSERTIONS for more info.`;var t=new WebAssembly.RuntimeError(e);throw l(t),t}var Ae=`data:application/octet-stream;base64,`;function je(e){return e.startsWith(Ae)}function L(e){return e.startsWith(`file://`)}var R=`tfjs-backend-wasm-threaded-simd.wasm`;je(R)||(R=y(R));function Me(e){try{if(e==R&&k)return new Uint8Array(k);if(S)return S(e);throw`both async and sync fetching of the wasm failed`}catch(e){ke(e)}}function Ne(){if(!k&&(m||h)){if(typeof fetch==`function`&&!L(R))return fetch(R,{credentials:`same-origin`}).then(function(e){if(!e.ok)throw`failed to load wasm binary file at '`+R+`'`;return e.arrayBuffer()}).catch(function(){return Me(R)});if(x)return new Promise(function(e,t){x(R,function(t){e(new Uint8Array(t))},t)})}return Promise.resolve().then(function(){return Me(R)})}function Pe(){var e={env:kt,wasi_snapshot_preview1:kt};function t(e,t){if(s.asm=e.exports,Ze(s.asm._emscripten_tls_init),ge=s.asm.__indirect_function_table,Ce(s.asm.__wasm_call_ctors),ne=t,!_){var n=B.unusedWorkers.length;B.unusedWorkers.forEach(function(e){B.loadWasmModuleToWorker(e,function(){--n||Oe(`wasm-instantiate`)})})}}_||De(`wasm-instantiate`);function n(e){t(e.instance,e.module)}function r(t){return Ne().then(function(t){return WebAssembly.instantiate(t,e)}).then(function(e){return e}).then(t,function(e){O(`failed to asynchronously prepare wasm: `+e),ke(e)})}function i(){return!k&&typeof WebAssembly.instantiateStreaming==`function`&&!je(R)&&!L(R)&&!g&&typeof fetch==`function`?fetch(R,{credentials:`same-origin`}).then(function(t){return WebAssembly.instantiateStreaming(t,e).then(n,function(e){return O(`wasm streaming compile failed: `+e),O(`falling back to ArrayBuffer instantiation`),r(n)})}):r(n)}if(s.instantiateWasm)try{return s.instantiateWasm(e,t)}catch(e){O(`Module.instantiateWasm callback failed with error: `+e),l(e)}return i().catch(l),{}}var Fe={};function Ie(e){this.name=`ExitStatus`,this.message=`Program terminated with exit(`+e+`)`,this.status=e}function Le(e){var t=B.pthreads[e];delete B.pthreads[e],t.terminate(),_i(e),B.runningWorkers.splice(B.runningWorkers.indexOf(t),1),t.pthread_ptr=0}function Re(e){B.pthreads[e].postMessage({cmd:`cancel`})}function ze(e){var t=B.pthreads[e];ae(t),B.returnWorkerToPool(t)}function Be(e){var t=B.getNewWorker();if(!t)return 6;B.runningWorkers.push(t),B.pthreads[e.pthread_ptr]=t,t.pthread_ptr=e.pthread_ptr;var n={cmd:`run`,start_routine:e.startRoutine,arg:e.arg,pthread_ptr:e.pthread_ptr};return t.runPthread=()=>{g&&t.ref(),t.postMessage(n,e.transferList),delete t.runPthread},t.loaded&&t.runPthread(),0}var Ve={varargs:void 0,get:function(){return Ve.varargs+=4,i()[Ve.varargs-4>>>2]},getStr:function(e){return ce(e)}};function He(e){if(_)return gt(1,1,e);ie=e,ye()||(B.terminateAllThreads(),s.onExit&&s.onExit(e),re=!0),p(e,new Ie(e))}function Ue(e,t){if(ie=e,!t&&_)throw qe(e),`unwind`;He(e)}var We=Ue;function z(e){if(e instanceof Ie||e==`unwind`)return ie;p(1,e)}var B={unusedWorkers:[],runningWorkers:[],tlsInitFunctions:[],pthreads:{},init:function(){_?B.initWorker():B.initMainThread()},initMainThread:function(){for(var e=8;e--;)B.allocateUnusedWorker()},initWorker:function(){te=!1},setExitStatus:function(e){ie=e},terminateAllThreads:function(){for(var e of Object.values(B.pthreads))B.returnWorkerToPool(e);for(var e of B.unusedWorkers)e.terminate();B.unusedWorkers=[]},returnWorkerToPool:function(e){var t=e.pthread_ptr;delete B.pthreads[t],B.unusedWorkers.push(e),B.runningWorkers.splice(B.runningWorkers.indexOf(e),1),e.pthread_ptr=0,g&&e.unref(),_i(t)},receiveObjectTransfer:function(e){},threadInitTLS:function(){B.tlsInitFunctions.forEach(e=>e())},loadWasmModuleToWorker:function(t,n){t.onmessage=e=>{var r=e.data,i=r.cmd;if(t.pthread_ptr&&(B.currentProxiedOperationCallerThread=t.pthread_ptr),r.targetThread&&r.targetThread!=ci()){var a=B.pthreads[r.targetThread];a?a.postMessage(r,r.transferList):O(`Internal error! Worker sent a message "`+i+`" to target pthread `+r.targetThread+`, but that thread no longer exists!`),B.currentProxiedOperationCallerThread=void 0}else i===`processProxyingQueue`?it(r.queue):i===`spawnThread`?Be(r):i===`cleanupThread`?ze(r.thread):i===`killThread`?Le(r.thread):i===`cancelThread`?Re(r.thread):i===`loaded`?(t.loaded=!0,g&&t.unref(),n&&n(t),t.runPthread&&t.runPthread()):i===`print`?D(`Thread `+r.threadId+`: `+r.text):i===`printErr`?O(`Thread `+r.threadId+`: `+r.text):i===`alert`?alert(`Thread `+r.threadId+`: `+r.text):r.target===`setimmediate`?t.postMessage(r):i===`callHandler`?s[r.handler](...r.args):i&&O(`worker sent an unknown command `+i),B.currentProxiedOperationCallerThread=void 0},t.onerror=e=>{throw O(`worker sent an error! `+e.filename+`:`+e.lineno+`: `+e.message),e},g&&(t.on(`message`,function(e){t.onmessage({data:e})}),t.on(`error`,function(e){t.onerror(e)}),t.on(`detachedExit`,function(){}));var r=[];for(var i of[`onExit`,`onAbort`,`print`,`printErr`])s.hasOwnProperty(i)&&r.push(i);t.postMessage({cmd:`load`,handlers:r,urlOrBlob:s.mainScriptUrlOrBlob||e,wasmMemory:A,wasmModule:ne})},allocateUnusedWorker:function(){var e,t=y(`tfjs-backend-wasm-threaded-simd.worker.js`);e=new Worker(t),B.unusedWorkers.push(e)},getNewWorker:function(){return B.unusedWorkers.length==0&&(B.allocateUnusedWorker(),B.loadWasmModuleToWorker(B.unusedWorkers[0])),B.unusedWorkers.pop()}};s.PThread=B;function Ge(e){for(;e.length>0;)e.shift()(s)}function Ke(){var e=ci(),t=i()[e+52>>>2],n=t-i()[e+56>>>2];yi(t,n),xi(t)}s.establishStackSpace=Ke;function qe(e){if(_)return gt(2,0,e);try{We(e)}catch(e){z(e)}}var Je=[];function Ye(e){var t=Je[e];return t||(e>=Je.length&&(Je.length=e+1),Je[e]=t=ge.get(e)),t}function Xe(e,t){var n=Ye(e)(t);ye()?B.setExitStatus(n):vi(n)}s.invokeEntryPoint=Xe;function Ze(e){B.tlsInitFunctions.push(e)}function Qe(e){ui(e,!h,1,!m),B.threadInitTLS()}function $e(e){_?postMessage({cmd:`cleanupThread`,thread:e}):ze(e)}function et(e,t,n,r){return _?gt(3,1,e,t,n,r):tt(e,t,n,r)}function tt(e,t,n,r){if(typeof SharedArrayBuffer>`u`)return O(`Current environment does not support SharedArrayBuffer, pthreads are not available!`),6;var i=[];if(_&&i.length===0)return et(e,t,n,r);var a={startRoutine:n,pthread_ptr:e,arg:r,transferList:i};return _?(a.cmd=`spawnThread`,postMessage(a,i),0):Be(a)}function nt(){return 65536}var V=!0;function rt(){return V}function it(e){Atomics.store(i(),e>>2,1),ci()&&gi(e),Atomics.compareExchange(i(),e>>2,1,0)}s.executeNotifiedProxyingQueue=it;function at(e,t,n,r){if(e==t)setTimeout(()=>it(r));else if(_)postMessage({targetThread:e,cmd:`processProxyingQueue`,queue:r});else{var i=B.pthreads[e];if(!i)return;i.postMessage({cmd:`processProxyingQueue`,queue:r})}return 1}function H(e,t,n){return-1}function ot(){ke(``)}function st(e){st.shown||={},st.shown[e]||(st.shown[e]=1,g&&(e=`warning: `+e),O(e))}function ct(){g||h||st(`Blocking on the main thread is very dangerous, see https://emscripten.org/docs/porting/pthreads.html#blocking-on-the-main-browser-thread`)}function lt(){return Date.now()}function ut(){return 4294901760}function dt(){return ut()}var ft=g?()=>{var e=process.hrtime();return e[0]*1e3+e[1]/1e6}:()=>performance.timeOrigin+performance.now();function pt(e,t,n){r().copyWithin(e>>>0,t>>>0,t+n>>>0)}function mt(){return g?fn().cpus().length:navigator.hardwareConcurrency}function ht(e){var t=bi(),n=e();return xi(t),n}function gt(e,t){var n=arguments.length-2,r=arguments;return ht(()=>{for(var i=n,a=Si(i*8),s=a>>3,c=0;c<n;c++){var l=r[2+c];o()[s+c>>>0]=l}return mi(e,i,a,t)})}var U=[];function _t(e,t,n){U.length=t;for(var r=n>>3,i=0;i<t;i++)U[i]=o()[r+i>>>0];return(e<0?Fe[-e-1]:Ot[e]).apply(null,U)}function vt(e){try{return A.grow(e-j.byteLength+65535>>>16),N(A.buffer),1}catch{}}function yt(e){var t=r().length;if(e>>>=0,e<=t)return!1;var n=ut();if(e>n)return!1;let i=(e,t)=>e+(t-e%t)%t;for(var a=1;a<=4;a*=2){var o=t*(1+.2/a);if(o=Math.min(o,e+100663296),vt(Math.min(n,i(Math.max(e,o),65536))))return!0}return!1}function bt(){throw`unwind`}function xt(e){return _?gt(4,1,e):52}function St(e,t,n,r,i){return _?gt(5,1,e,t,n,r,i):70}var Ct=[null,[],[]];function wt(e,t){var n=Ct[e];t===0||t===10?((e===1?D:O)(se(n,0)),n.length=0):n.push(t)}function W(e,t,n,i){if(_)return gt(6,1,e,t,n,i);for(var o=0,s=0;s<n;s++){var c=a()[t>>>2],l=a()[t+4>>>2];t+=8;for(var u=0;u<l;u++)wt(e,r()[c+u>>>0]);o+=l}return a()[i>>>2]=o,0}function Tt(e){return s[`_`+e]}function Et(e,t){n().set(e,t>>>0)}function G(e,t,n,r,i){var a={string:e=>{var t=0;if(e!=null&&e!==0){var n=(e.length<<2)+1;t=Si(n),ue(e,t,n)}return t},array:e=>{var t=Si(e.length);return Et(e,t),t}};function o(e){return t===`string`?ce(e):t===`boolean`?!!e:e}var s=Tt(e),c=[],l=0;if(r)for(var u=0;u<r.length;u++){var d=a[n[u]];d?(l===0&&(l=bi()),c[u]=d(r[u])):c[u]=r[u]}var f=s.apply(null,c);function p(e){return l!==0&&xi(l),o(e)}return f=p(f),f}function Dt(e,t,n,r){n||=[];var i=n.every(e=>e===`number`||e===`boolean`);return t!==`string`&&i&&!r?Tt(e):function(){return G(e,t,n,arguments,r)}}B.init();var Ot=[null,He,qe,et,xt,St,W],kt={__emscripten_init_main_thread_js:Qe,__emscripten_thread_cleanup:$e,__pthread_create_js:tt,_emscripten_default_pthread_stack_size:nt,_emscripten_get_now_is_monotonic:rt,_emscripten_notify_task_queue:at,_emscripten_set_offscreencanvas_size:H,abort:ot,emscripten_check_blocking_allowed:ct,emscripten_date_now:lt,emscripten_get_heap_max:dt,emscripten_get_now:ft,emscripten_memcpy_big:pt,emscripten_num_logical_cores:mt,emscripten_receive_on_main_thread_js:_t,emscripten_resize_heap:yt,emscripten_unwind_to_js_event_loop:bt,exit:We,fd_close:xt,fd_seek:St,fd_write:W,memory:A||s.wasmMemory};Pe();var K=s.___wasm_call_ctors=function(){return(K=s.___wasm_call_ctors=s.asm.__wasm_call_ctors).apply(null,arguments)},q=s._init=function(){return(q=s._init=s.asm.init).apply(null,arguments)},At=s._init_with_threads_count=function(){return(At=s._init_with_threads_count=s.asm.init_with_threads_count).apply(null,arguments)},jt=s._get_threads_count=function(){return(jt=s._get_threads_count=s.asm.get_threads_count).apply(null,arguments)},Mt=s._register_tensor=function(){return(Mt=s._register_tensor=s.asm.register_tensor).apply(null,arguments)},Nt=s._dispose_data=function(){return(Nt=s._dispose_data=s.asm.dispose_data).apply(null,arguments)},Pt=s._dispose=function(){return(Pt=s._dispose=s.asm.dispose).apply(null,arguments)},J=s._Abs=function(){return(J=s._Abs=s.asm.Abs).apply(null,arguments)},Y=s._Acos=function(){return(Y=s._Acos=s.asm.Acos).apply(null,arguments)},Ft=s._Acosh=function(){return(Ft=s._Acosh=s.asm.Acosh).apply(null,arguments)},It=s._Add=function(){return(It=s._Add=s.asm.Add).apply(null,arguments)},Lt=s._AddN=function(){return(Lt=s._AddN=s.asm.AddN).apply(null,arguments)},Rt=s._All=function(){return(Rt=s._All=s.asm.All).apply(null,arguments)},zt=s._Any=function(){return(zt=s._Any=s.asm.Any).apply(null,arguments)},Bt=s._ArgMax=function(){return(Bt=s._ArgMax=s.asm.ArgMax).apply(null,arguments)},Vt=s._ArgMin=function(){return(Vt=s._ArgMin=s.asm.ArgMin).apply(null,arguments)},Ht=s._Asin=function(){return(Ht=s._Asin=s.asm.Asin).apply(null,arguments)},Ut=s._Asinh=function(){return(Ut=s._Asinh=s.asm.Asinh).apply(null,arguments)},Wt=s._Atan=function(){return(Wt=s._Atan=s.asm.Atan).apply(null,arguments)},Gt=s._Atan2=function(){return(Gt=s._Atan2=s.asm.Atan2).apply(null,arguments)},Kt=s._Atanh=function(){return(Kt=s._Atanh=s.asm.Atanh).apply(null,arguments)},qt=s._AvgPool=function(){return(qt=s._AvgPool=s.asm.AvgPool).apply(null,arguments)},Jt=s._AvgPool3D=function(){return(Jt=s._AvgPool3D=s.asm.AvgPool3D).apply(null,arguments)},Yt=s._AvgPool3DGrad=function(){return(Yt=s._AvgPool3DGrad=s.asm.AvgPool3DGrad).apply(null,arguments)},Xt=s._AvgPoolGrad=function(){return(Xt=s._AvgPoolGrad=s.asm.AvgPoolGrad).apply(null,arguments)},Zt=s._BatchMatMul=function(){return(Zt=s._BatchMatMul=s.asm.BatchMatMul).apply(null,arguments)},Qt=s._Bincount=function(){return(Qt=s._Bincount=s.asm.Bincount).apply(null,arguments)},$t=s._BitwiseAnd=function(){return($t=s._BitwiseAnd=s.asm.BitwiseAnd).apply(null,arguments)},en=s._Ceil=function(){return(en=s._Ceil=s.asm.Ceil).apply(null,arguments)},tn=s._ClipByValue=function(){return(tn=s._ClipByValue=s.asm.ClipByValue).apply(null,arguments)},nn=s._Conv2D=function(){return(nn=s._Conv2D=s.asm.Conv2D).apply(null,arguments)},rn=s._Conv2DBackpropInput=function(){return(rn=s._Conv2DBackpropInput=s.asm.Conv2DBackpropInput).apply(null,arguments)},an=s._Conv3D=function(){return(an=s._Conv3D=s.asm.Conv3D).apply(null,arguments)},on=s._Conv3DBackpropFilterV2=function(){return(on=s._Conv3DBackpropFilterV2=s.asm.Conv3DBackpropFilterV2).apply(null,arguments)},sn=s._Conv3DBackpropInputV2=function(){return(sn=s._Conv3DBackpropInputV2=s.asm.Conv3DBackpropInputV2).apply(null,arguments)},cn=s._Cos=function(){return(cn=s._Cos=s.asm.Cos).apply(null,arguments)},ln=s._Cosh=function(){return(ln=s._Cosh=s.asm.Cosh).apply(null,arguments)},un=s._CropAndResize=function(){return(un=s._CropAndResize=s.asm.CropAndResize).apply(null,arguments)},dn=s._Cumprod=function(){return(dn=s._Cumprod=s.asm.Cumprod).apply(null,arguments)},pn=s._Cumsum=function(){return(pn=s._Cumsum=s.asm.Cumsum).apply(null,arguments)},mn=s._DenseBincount=function(){return(mn=s._DenseBincount=s.asm.DenseBincount).apply(null,arguments)},hn=s._DepthToSpace=function(){return(hn=s._DepthToSpace=s.asm.DepthToSpace).apply(null,arguments)},gn=s._DepthwiseConv2dNative=function(){return(gn=s._DepthwiseConv2dNative=s.asm.DepthwiseConv2dNative).apply(null,arguments)},_n=s._Diag=function(){return(_n=s._Diag=s.asm.Diag).apply(null,arguments)},vn=s._Dilation2D=function(){return(vn=s._Dilation2D=s.asm.Dilation2D).apply(null,arguments)},yn=s._Dilation2DBackpropFilter=function(){return(yn=s._Dilation2DBackpropFilter=s.asm.Dilation2DBackpropFilter).apply(null,arguments)},bn=s._Dilation2DBackpropInput=function(){return(bn=s._Dilation2DBackpropInput=s.asm.Dilation2DBackpropInput).apply(null,arguments)},xn=s._Elu=function(){return(xn=s._Elu=s.asm.Elu).apply(null,arguments)},Sn=s._EluGrad=function(){return(Sn=s._EluGrad=s.asm.EluGrad).apply(null,arguments)},X=s._Equal=function(){return(X=s._Equal=s.asm.Equal).apply(null,arguments)},Cn=s._Erf=function(){return(Cn=s._Erf=s.asm.Erf).apply(null,arguments)},wn=s._Exp=function(){return(wn=s._Exp=s.asm.Exp).apply(null,arguments)},Tn=s._Expm1=function(){return(Tn=s._Expm1=s.asm.Expm1).apply(null,arguments)},Z=s._FlipLeftRight=function(){return(Z=s._FlipLeftRight=s.asm.FlipLeftRight).apply(null,arguments)},En=s._Floor=function(){return(En=s._Floor=s.asm.Floor).apply(null,arguments)},Q=s._FloorDiv=function(){return(Q=s._FloorDiv=s.asm.FloorDiv).apply(null,arguments)},Dn=s._FusedBatchNorm=function(){return(Dn=s._FusedBatchNorm=s.asm.FusedBatchNorm).apply(null,arguments)},On=s._FusedConv2D=function(){return(On=s._FusedConv2D=s.asm.FusedConv2D).apply(null,arguments)},kn=s._FusedDepthwiseConv2D=function(){return(kn=s._FusedDepthwiseConv2D=s.asm.FusedDepthwiseConv2D).apply(null,arguments)},An=s._Gather=function(){return(An=s._Gather=s.asm.Gather).apply(null,arguments)},jn=s._GatherNd=function(){return(jn=s._GatherNd=s.asm.GatherNd).apply(null,arguments)},Mn=s._Greater=function(){return(Mn=s._Greater=s.asm.Greater).apply(null,arguments)},Nn=s._GreaterEqual=function(){return(Nn=s._GreaterEqual=s.asm.GreaterEqual).apply(null,arguments)},Pn=s._IsFinite=function(){return(Pn=s._IsFinite=s.asm.IsFinite).apply(null,arguments)},Fn=s._IsInf=function(){return(Fn=s._IsInf=s.asm.IsInf).apply(null,arguments)},In=s._IsNan=function(){return(In=s._IsNan=s.asm.IsNan).apply(null,arguments)},Ln=s._LRN=function(){return(Ln=s._LRN=s.asm.LRN).apply(null,arguments)},Rn=s._LRNGrad=function(){return(Rn=s._LRNGrad=s.asm.LRNGrad).apply(null,arguments)},zn=s._LeakyRelu=function(){return(zn=s._LeakyRelu=s.asm.LeakyRelu).apply(null,arguments)},$=s._Less=function(){return($=s._Less=s.asm.Less).apply(null,arguments)},Bn=s._LessEqual=function(){return(Bn=s._LessEqual=s.asm.LessEqual).apply(null,arguments)},Vn=s._LinSpace=function(){return(Vn=s._LinSpace=s.asm.LinSpace).apply(null,arguments)},Hn=s._Log=function(){return(Hn=s._Log=s.asm.Log).apply(null,arguments)},Un=s._Log1p=function(){return(Un=s._Log1p=s.asm.Log1p).apply(null,arguments)},Wn=s._LogicalAnd=function(){return(Wn=s._LogicalAnd=s.asm.LogicalAnd).apply(null,arguments)},Gn=s._LogicalNot=function(){return(Gn=s._LogicalNot=s.asm.LogicalNot).apply(null,arguments)},Kn=s._LogicalOr=function(){return(Kn=s._LogicalOr=s.asm.LogicalOr).apply(null,arguments)},qn=s._LogicalXor=function(){return(qn=s._LogicalXor=s.asm.LogicalXor).apply(null,arguments)},Jn=s._Max=function(){return(Jn=s._Max=s.asm.Max).apply(null,arguments)},Yn=s._MaxPool=function(){return(Yn=s._MaxPool=s.asm.MaxPool).apply(null,arguments)},Xn=s._MaxPool3D=function(){return(Xn=s._MaxPool3D=s.asm.MaxPool3D).apply(null,arguments)},Zn=s._MaxPool3DGrad=function(){return(Zn=s._MaxPool3DGrad=s.asm.MaxPool3DGrad).apply(null,arguments)},Qn=s._MaxPoolGrad=function(){return(Qn=s._MaxPoolGrad=s.asm.MaxPoolGrad).apply(null,arguments)},$n=s._MaxPoolWithArgmax=function(){return($n=s._MaxPoolWithArgmax=s.asm.MaxPoolWithArgmax).apply(null,arguments)},er=s._Maximum=function(){return(er=s._Maximum=s.asm.Maximum).apply(null,arguments)},tr=s._Mean=function(){return(tr=s._Mean=s.asm.Mean).apply(null,arguments)},nr=s._Min=function(){return(nr=s._Min=s.asm.Min).apply(null,arguments)},rr=s._Minimum=function(){return(rr=s._Minimum=s.asm.Minimum).apply(null,arguments)},ir=s._MirrorPad=function(){return(ir=s._MirrorPad=s.asm.MirrorPad).apply(null,arguments)},ar=s._Mod=function(){return(ar=s._Mod=s.asm.Mod).apply(null,arguments)},or=s._Multinomial=function(){return(or=s._Multinomial=s.asm.Multinomial).apply(null,arguments)},sr=s._Multiply=function(){return(sr=s._Multiply=s.asm.Multiply).apply(null,arguments)},cr=s._Neg=function(){return(cr=s._Neg=s.asm.Neg).apply(null,arguments)},lr=s._NonMaxSuppressionV3=function(){return(lr=s._NonMaxSuppressionV3=s.asm.NonMaxSuppressionV3).apply(null,arguments)},ur=s._NonMaxSuppressionV4=function(){return(ur=s._NonMaxSuppressionV4=s.asm.NonMaxSuppressionV4).apply(null,arguments)},dr=s._NonMaxSuppressionV5=function(){return(dr=s._NonMaxSuppressionV5=s.asm.NonMaxSuppressionV5).apply(null,arguments)},fr=s._NotEqual=function(){return(fr=s._NotEqual=s.asm.NotEqual).apply(null,arguments)},pr=s._OneHot=function(){return(pr=s._OneHot=s.asm.OneHot).apply(null,arguments)},mr=s._PadV2=function(){return(mr=s._PadV2=s.asm.PadV2).apply(null,arguments)},hr=s._Pow=function(){return(hr=s._Pow=s.asm.Pow).apply(null,arguments)},gr=s._Prelu=function(){return(gr=s._Prelu=s.asm.Prelu).apply(null,arguments)},_r=s._Prod=function(){return(_r=s._Prod=s.asm.Prod).apply(null,arguments)},vr=s._RealDiv=function(){return(vr=s._RealDiv=s.asm.RealDiv).apply(null,arguments)},yr=s._Reciprocal=function(){return(yr=s._Reciprocal=s.asm.Reciprocal).apply(null,arguments)},br=s._Relu=function(){return(br=s._Relu=s.asm.Relu).apply(null,arguments)},xr=s._Relu6=function(){return(xr=s._Relu6=s.asm.Relu6).apply(null,arguments)},Sr=s._ResizeBilinear=function(){return(Sr=s._ResizeBilinear=s.asm.ResizeBilinear).apply(null,arguments)},Cr=s._ResizeBilinearGrad=function(){return(Cr=s._ResizeBilinearGrad=s.asm.ResizeBilinearGrad).apply(null,arguments)},wr=s._ResizeNearestNeighbor=function(){return(wr=s._ResizeNearestNeighbor=s.asm.ResizeNearestNeighbor).apply(null,arguments)},Tr=s._ResizeNearestNeighborGrad=function(){return(Tr=s._ResizeNearestNeighborGrad=s.asm.ResizeNearestNeighborGrad).apply(null,arguments)},Er=s._Reverse=function(){return(Er=s._Reverse=s.asm.Reverse).apply(null,arguments)},Dr=s._RotateWithOffset=function(){return(Dr=s._RotateWithOffset=s.asm.RotateWithOffset).apply(null,arguments)},Or=s._Round=function(){return(Or=s._Round=s.asm.Round).apply(null,arguments)},kr=s._Rsqrt=function(){return(kr=s._Rsqrt=s.asm.Rsqrt).apply(null,arguments)},Ar=s._ScatterNd=function(){return(Ar=s._ScatterNd=s.asm.ScatterNd).apply(null,arguments)},jr=s._SearchSorted=function(){return(jr=s._SearchSorted=s.asm.SearchSorted).apply(null,arguments)},Mr=s._SelectV2=function(){return(Mr=s._SelectV2=s.asm.SelectV2).apply(null,arguments)},Nr=s._Selu=function(){return(Nr=s._Selu=s.asm.Selu).apply(null,arguments)},Pr=s._Sigmoid=function(){return(Pr=s._Sigmoid=s.asm.Sigmoid).apply(null,arguments)},Fr=s._Sign=function(){return(Fr=s._Sign=s.asm.Sign).apply(null,arguments)},Ir=s._Sin=function(){return(Ir=s._Sin=s.asm.Sin).apply(null,arguments)},Lr=s._Sinh=function(){return(Lr=s._Sinh=s.asm.Sinh).apply(null,arguments)},Rr=s._Softmax=function(){return(Rr=s._Softmax=s.asm.Softmax).apply(null,arguments)},zr=s._Softplus=function(){return(zr=s._Softplus=s.asm.Softplus).apply(null,arguments)},Br=s._SparseFillEmptyRows=function(){return(Br=s._SparseFillEmptyRows=s.asm.SparseFillEmptyRows).apply(null,arguments)},Vr=s._SparseReshape=function(){return(Vr=s._SparseReshape=s.asm.SparseReshape).apply(null,arguments)},Hr=s._SparseSegmentReduction=function(){return(Hr=s._SparseSegmentReduction=s.asm.SparseSegmentReduction).apply(null,arguments)},Ur=s._SparseToDense=function(){return(Ur=s._SparseToDense=s.asm.SparseToDense).apply(null,arguments)},Wr=s._Sqrt=function(){return(Wr=s._Sqrt=s.asm.Sqrt).apply(null,arguments)},Gr=s._Square=function(){return(Gr=s._Square=s.asm.Square).apply(null,arguments)},Kr=s._SquaredDifference=function(){return(Kr=s._SquaredDifference=s.asm.SquaredDifference).apply(null,arguments)},qr=s._Step=function(){return(qr=s._Step=s.asm.Step).apply(null,arguments)},Jr=s._StridedSlice=function(){return(Jr=s._StridedSlice=s.asm.StridedSlice).apply(null,arguments)},Yr=s._Sub=function(){return(Yr=s._Sub=s.asm.Sub).apply(null,arguments)},Xr=s._Sum=function(){return(Xr=s._Sum=s.asm.Sum).apply(null,arguments)},Zr=s._Tan=function(){return(Zr=s._Tan=s.asm.Tan).apply(null,arguments)},Qr=s._Tanh=function(){return(Qr=s._Tanh=s.asm.Tanh).apply(null,arguments)},$r=s._TensorScatterUpdate=function(){return($r=s._TensorScatterUpdate=s.asm.TensorScatterUpdate).apply(null,arguments)},ei=s._Tile=function(){return(ei=s._Tile=s.asm.Tile).apply(null,arguments)},ti=s._TopK=function(){return(ti=s._TopK=s.asm.TopK).apply(null,arguments)},ni=s._Transform=function(){return(ni=s._Transform=s.asm.Transform).apply(null,arguments)},ri=s._Transpose=function(){return(ri=s._Transpose=s.asm.Transpose).apply(null,arguments)},ii=s.__FusedMatMul=function(){return(ii=s.__FusedMatMul=s.asm._FusedMatMul).apply(null,arguments)},ai=s._malloc=function(){return(ai=s._malloc=s.asm.malloc).apply(null,arguments)},oi=s._free=function(){return(oi=s._free=s.asm.free).apply(null,arguments)},si=s.__emscripten_tls_init=function(){return(si=s.__emscripten_tls_init=s.asm._emscripten_tls_init).apply(null,arguments)},ci=s._pthread_self=function(){return(ci=s._pthread_self=s.asm.pthread_self).apply(null,arguments)},li=s.___errno_location=function(){return(li=s.___errno_location=s.asm.__errno_location).apply(null,arguments)},ui=s.__emscripten_thread_init=function(){return(ui=s.__emscripten_thread_init=s.asm._emscripten_thread_init).apply(null,arguments)},di=s.__emscripten_thread_crashed=function(){return(di=s.__emscripten_thread_crashed=s.asm._emscripten_thread_crashed).apply(null,arguments)},fi=s._emscripten_main_thread_process_queued_calls=function(){return(fi=s._emscripten_main_thread_process_queued_calls=s.asm.emscripten_main_thread_process_queued_calls).apply(null,arguments)},pi=s._emscripten_main_browser_thread_id=function(){return(pi=s._emscripten_main_browser_thread_id=s.asm.emscripten_main_browser_thread_id).apply(null,arguments)},mi=s._emscripten_run_in_main_runtime_thread_js=function(){return(mi=s._emscripten_run_in_main_runtime_thread_js=s.asm.emscripten_run_in_main_runtime_thread_js).apply(null,arguments)},hi=s._emscripten_dispatch_to_thread_=function(){return(hi=s._emscripten_dispatch_to_thread_=s.asm.emscripten_dispatch_to_thread_).apply(null,arguments)},gi=s.__emscripten_proxy_execute_task_queue=function(){return(gi=s.__emscripten_proxy_execute_task_queue=s.asm._emscripten_proxy_execute_task_queue).apply(null,arguments)},_i=s.__emscripten_thread_free_data=function(){return(_i=s.__emscripten_thread_free_data=s.asm._emscripten_thread_free_data).apply(null,arguments)},vi=s.__emscripten_thread_exit=function(){return(vi=s.__emscripten_thread_exit=s.asm._emscripten_thread_exit).apply(null,arguments)},yi=s._emscripten_stack_set_limits=function(){return(yi=s._emscripten_stack_set_limits=s.asm.emscripten_stack_set_limits).apply(null,arguments)},bi=s.stackSave=function(){return(bi=s.stackSave=s.asm.stackSave).apply(null,arguments)},xi=s.stackRestore=function(){return(xi=s.stackRestore=s.asm.stackRestore).apply(null,arguments)},Si=s.stackAlloc=function(){return(Si=s.stackAlloc=s.asm.stackAlloc).apply(null,arguments)},Ci=s.dynCall_iijjiiii=function(){return(Ci=s.dynCall_iijjiiii=s.asm.dynCall_iijjiiii).apply(null,arguments)},wi=s.dynCall_jiji=function(){return(wi=s.dynCall_jiji=s.asm.dynCall_jiji).apply(null,arguments)};s.keepRuntimeAlive=ye,s.wasmMemory=A,s.cwrap=Dt,s.ExitStatus=Ie,s.PThread=B;var Ti;Ee=function e(){Ti||Ei(),Ti||(Ee=e)};function Ei(e){if(e||=f,I>0)return;if(_){c(s),be(),startWorker(s);return}if(F(),I>0)return;function t(){Ti||(Ti=!0,s.calledRun=!0,re||(be(),c(s),s.onRuntimeInitialized&&s.onRuntimeInitialized(),xe()))}s.setStatus?(s.setStatus(`Running...`),setTimeout(function(){setTimeout(function(){s.setStatus(``)},1),t()},1)):t()}if(s.preInit)for(typeof s.preInit==`function`&&(s.preInit=[s.preInit]);s.preInit.length>0;)s.preInit.pop()();Ei();var Di;u&&(Di={uncaughtException:process.listeners(`uncaughtException`).filter(function(e){return!u.uncaughtException.indexOf(e)>-1}),unhandledRejection:process.listeners(`unhandledRejection`).filter(function(e){return!u.unhandledRejection.indexOf(e)>-1})});var Oi;if(typeof WasmBackendModule<`u`)Oi=WasmBackendModule;else if(t!==void 0)Oi=t;else throw Error(`Could not find wasm module in post.js`);if(Di){var ki=Oi._dispose;Oi._dispose=function(){ki(),Di.uncaughtException.forEach(function(e){process.removeListener(`uncaughtException`,e)}),Di.unhandledRejection.forEach(function(e){process.removeListener(`unhandledRejection`,e)})}}return t.ready})})();typeof e==`object`&&typeof t==`object`?t.exports=n:typeof define==`function`&&define.amd?define([],function(){return n}):typeof e==`object`&&(e.WasmBackendModuleThreadedSimd=n)})),pr=/* @__PURE__ */ o(((e,t)=>{t.exports.wasmWorkerContents=`"use strict";var Module={};var ENVIRONMENT_IS_NODE=typeof process=="object"&&typeof process.versions=="object"&&typeof process.versions.node=="string";if(ENVIRONMENT_IS_NODE){var nodeWorkerThreads=require("worker_threads");var parentPort=nodeWorkerThreads.parentPort;parentPort.on("message",data=>onmessage({data:data}));var fs=require("fs");Object.assign(global,{self:global,require:require,Module:Module,location:{href:__filename},Worker:nodeWorkerThreads.Worker,importScripts:function(f){(0,eval)(fs.readFileSync(f,"utf8")+"//# sourceURL="+f)},postMessage:function(msg){parentPort.postMessage(msg)},performance:global.performance||{now:function(){return Date.now()}}})}var initializedJS=false;var pendingNotifiedProxyingQueues=[];function threadPrintErr(){var text=Array.prototype.slice.call(arguments).join(" ");if(ENVIRONMENT_IS_NODE){fs.writeSync(2,text+"
");return}console.error(text)}function threadAlert(){var text=Array.prototype.slice.call(arguments).join(" ");postMessage({cmd:"alert",text:text,threadId:Module["_pthread_self"]()})}var err=threadPrintErr;self.alert=threadAlert;Module["instantiateWasm"]=(info,receiveInstance)=>{var instance=new WebAssembly.Instance(Module["wasmModule"],info);receiveInstance(instance);Module["wasmModule"]=null;return instance.exports};self.onunhandledrejection=e=>{throw e.reason??e};self.startWorker=instance=>{Module=instance;postMessage({"cmd":"loaded"})};self.onmessage=e=>{try{if(e.data.cmd==="load"){Module["wasmModule"]=e.data.wasmModule;for(const handler of e.data.handlers){Module[handler]=function(){postMessage({cmd:"callHandler",handler:handler,args:[...arguments]})}}Module["wasmMemory"]=e.data.wasmMemory;Module["buffer"]=Module["wasmMemory"].buffer;Module["ENVIRONMENT_IS_PTHREAD"]=true;if(typeof e.data.urlOrBlob=="string"){importScripts(e.data.urlOrBlob)}else{var objectUrl=URL.createObjectURL(e.data.urlOrBlob);importScripts(objectUrl);URL.revokeObjectURL(objectUrl)}WasmBackendModuleThreadedSimd(Module)}else if(e.data.cmd==="run"){Module["__emscripten_thread_init"](e.data.pthread_ptr,0,0,1);Module["establishStackSpace"]();Module["PThread"].receiveObjectTransfer(e.data);Module["PThread"].threadInitTLS();if(!initializedJS){pendingNotifiedProxyingQueues.forEach(queue=>{Module["executeNotifiedProxyingQueue"](queue)});pendingNotifiedProxyingQueues=[];initializedJS=true}try{Module["invokeEntryPoint"](e.data.start_routine,e.data.arg)}catch(ex){if(ex!="unwind"){if(ex instanceof Module["ExitStatus"]){if(Module["keepRuntimeAlive"]()){}else{Module["__emscripten_thread_exit"](ex.status)}}else{throw ex}}}}else if(e.data.cmd==="cancel"){if(Module["_pthread_self"]()){Module["__emscripten_thread_exit"](-1)}}else if(e.data.target==="setimmediate"){}else if(e.data.cmd==="processProxyingQueue"){if(initializedJS){Module["executeNotifiedProxyingQueue"](e.data.queue)}else{pendingNotifiedProxyingQueues.push(e.data.queue)}}else if(e.data.cmd){err("worker.js received unknown command "+e.data.cmd);err(e.data)}}catch(ex){if(Module["__emscripten_thread_crashed"]){Module["__emscripten_thread_crashed"]()}throw ex}};`})),mr=/* @__PURE__ */ o(((e,t)=>{var n=(()=>{var e=typeof document<`u`&&document.currentScript?document.currentScript.src:void 0;return typeof __filename<`u`&&(e||=__filename),(function(t){t||={};var n=t===void 0?{}:t,r,i;n.ready=new Promise(function(e,t){r=e,i=t});var a;typeof process<`u`&&process.listeners&&(a={uncaughtException:process.listeners(`uncaughtException`),unhandledRejection:process.listeners(`unhandledRejection`)});var o=Object.assign({},n),s=[],c=typeof window==`object`,l=typeof importScripts==`function`,u=typeof process==`object`&&typeof process.versions==`object`&&typeof process.versions.node==`string`,d=``;function f(e){return n.locateFile?n.locateFile(e,d):d+e}var p,m,h;if(u){var g=fn(),_=fn();d=l?_.dirname(d)+`/`:__dirname+`/`,p=(e,t)=>(e=_e(e)?new URL(e):_.normalize(e),g.readFileSync(e,t?void 0:`utf8`)),h=e=>{var t=p(e,!0);return t.buffer||(t=new Uint8Array(t)),t},m=(e,t,n)=>{e=_e(e)?new URL(e):_.normalize(e),g.readFile(e,function(e,r){e?n(e):t(r.buffer)})},process.argv.length>1&&process.argv[1].replace(/\\/g,`/`),s=process.argv.slice(2),process.on(`uncaughtException`,function(e){if(!(e instanceof be))throw e}),process.on(`unhandledRejection`,function(e){throw e}),n.inspect=function(){return`[Emscripten Module object]`}}else(c||l)&&(l?d=self.location.href:typeof document<`u`&&document.currentScript&&(d=document.currentScript.src),e&&(d=e),d=d.indexOf(`blob:`)===0?``:d.substr(0,d.replace(/[?#].*/,``).lastIndexOf(`/`)+1),p=e=>{var t=new XMLHttpRequest;return t.open(`GET`,e,!1),t.send(null),t.responseText},l&&(h=e=>{var t=new XMLHttpRequest;return t.open(`GET`,e,!1),t.responseType=`arraybuffer`,t.send(null),new Uint8Array(t.response)}),m=(e,t,n)=>{var r=new XMLHttpRequest;r.open(`GET`,e,!0),r.responseType=`arraybuffer`,r.onload=()=>{r.status==200||r.status==0&&r.response?t(r.response):n()},r.onerror=n,r.send(null)});var v=n.print||console.log.bind(console),y=n.printErr||console.warn.bind(console);Object.assign(n,o),o=null,n.arguments&&(s=n.arguments),n.thisProgram&&n.thisProgram,n.quit&&n.quit;var b;n.wasmBinary&&(b=n.wasmBinary),n.noExitRuntime,typeof WebAssembly!=`object`&&N(`no native wasm support detected`);var x,S=!1,C=typeof TextDecoder<`u`?new TextDecoder(`utf8`):void 0;function w(e,t,n){t>>>=0;for(var r=t+n,i=t;e[i]&&!(i>=r);)++i;if(i-t>16&&e.buffer&&C)return C.decode(e.subarray(t,i));for(var a=``;t<i;){var o=e[t++];if(!(o&128))a+=String.fromCharCode(o);else{var s=e[t++]&63;if((o&224)==192)a+=String.fromCharCode((o&31)<<6|s);else{var c=e[t++]&63;if(o=(o&240)==224?(o&15)<<12|s<<6|c:(o&7)<<18|s<<12|c<<6|e[t++]&63,o<65536)a+=String.fromCharCode(o);else{var l=o-65536;a+=String.fromCharCode(55296|l>>10,56320|l&1023)}}}}return a}function T(e,t){return e>>>=0,e?w(k,e,t):``}function ee(e,t,n,r){if(n>>>=0,!(r>0))return 0;for(var i=n,a=n+r-1,o=0;o<e.length;++o){var s=e.charCodeAt(o);if(s>=55296&&s<=57343){var c=e.charCodeAt(++o);s=65536+((s&1023)<<10)|c&1023}if(s<=127){if(n>=a)break;t[n++>>>0]=s}else if(s<=2047){if(n+1>=a)break;t[n++>>>0]=192|s>>6,t[n++>>>0]=128|s&63}else if(s<=65535){if(n+2>=a)break;t[n++>>>0]=224|s>>12,t[n++>>>0]=128|s>>6&63,t[n++>>>0]=128|s&63}else{if(n+3>=a)break;t[n++>>>0]=240|s>>18,t[n++>>>0]=128|s>>12&63,t[n++>>>0]=128|s>>6&63,t[n++>>>0]=128|s&63}}return t[n>>>0]=0,n-i}function E(e,t,n){return ee(e,k,t,n)}var D,O,k,te,A;function ne(e){D=e,n.HEAP8=O=new Int8Array(e),n.HEAP16=new Int16Array(e),n.HEAP32=te=new Int32Array(e),n.HEAPU8=k=new Uint8Array(e),n.HEAPU16=new Uint16Array(e),n.HEAPU32=A=new Uint32Array(e),n.HEAPF32=new Float32Array(e),n.HEAPF64=new Float64Array(e)}n.INITIAL_MEMORY;var re=[],ie=[],ae=[];function oe(){if(n.preRun)for(typeof n.preRun==`function`&&(n.preRun=[n.preRun]);n.preRun.length;)le(n.preRun.shift());xe(re)}function se(){xe(ie)}function ce(){if(n.postRun)for(typeof n.postRun==`function`&&(n.postRun=[n.postRun]);n.postRun.length;)j(n.postRun.shift());xe(ae)}function le(e){re.unshift(e)}function ue(e){ie.unshift(e)}function j(e){ae.unshift(e)}var M=0,de=null,fe=null;function pe(e){M++,n.monitorRunDependencies&&n.monitorRunDependencies(M)}function me(e){if(M--,n.monitorRunDependencies&&n.monitorRunDependencies(M),M==0&&(de!==null&&(clearInterval(de),de=null),fe)){var t=fe;fe=null,t()}}function N(e){n.onAbort&&n.onAbort(e),e=`Aborted(`+e+`)`,y(e),S=!0,e+=`. Build with -sASSERTIONS for more info.`;var t=new WebAssembly.RuntimeError(e);throw i(t),t}var he=`data:application/octet-stream;base64,`;function ge(e){return e.startsWith(he)}function _e(e){return e.startsWith(`file://`)}var P=`tfjs-backend-wasm.wasm`;ge(P)||(P=f(P));function ve(e){try{if(e==P&&b)return new Uint8Array(b);if(h)return h(e);throw`both async and sync fetching of the wasm failed`}catch(e){N(e)}}function ye(){if(!b&&(c||l)){if(typeof fetch==`function`&&!_e(P))return fetch(P,{credentials:`same-origin`}).then(function(e){if(!e.ok)throw`failed to load wasm binary file at '`+P+`'`;return e.arrayBuffer()}).catch(function(){return ve(P)});if(m)return new Promise(function(e,t){m(P,function(t){e(new Uint8Array(t))},t)})}return Promise.resolve().then(function(){return ve(P)})}function F(){var e={env:Fe,wasi_snapshot_preview1:Fe};function t(e,t){n.asm=e.exports,x=n.asm.memory,ne(x.buffer),n.asm.__indirect_function_table,ue(n.asm.__wasm_call_ctors),me(`wasm-instantiate`)}pe(`wasm-instantiate`);function r(e){t(e.instance)}function a(t){return ye().then(function(t){return WebAssembly.instantiate(t,e)}).then(function(e){return e}).then(t,function(e){y(`failed to asynchronously prepare wasm: `+e),N(e)})}function o(){return!b&&typeof WebAssembly.instantiateStreaming==`function`&&!ge(P)&&!_e(P)&&!u&&typeof fetch==`function`?fetch(P,{credentials:`same-origin`}).then(function(t){return WebAssembly.instantiateStreaming(t,e).then(r,function(e){return y(`wasm streaming compile failed: `+e),y(`falling back to ArrayBuffer instantiation`),a(r)})}):a(r)}if(n.instantiateWasm)try{return n.instantiateWasm(e,t)}catch(e){y(`Module.instantiateWasm callback failed with error: `+e),i(e)}return o().catch(i),{}}function be(e){this.name=`ExitStatus`,this.message=`Program terminated with exit(`+e+`)`,this.status=e}function xe(e){for(;e.length>0;)e.shift()(n)}function Se(){N(``)}function Ce(){return 4294901760}function we(){return Ce()}function I(e,t,n){k.copyWithin(e>>>0,t>>>0,t+n>>>0)}function Te(e){try{return x.grow(e-D.byteLength+65535>>>16),ne(x.buffer),1}catch{}}function Ee(e){var t=k.length;e>>>=0;var n=Ce();if(e>n)return!1;let r=(e,t)=>e+(t-e%t)%t;for(var i=1;i<=4;i*=2){var a=t*(1+.2/i);if(a=Math.min(a,e+100663296),Te(Math.min(n,r(Math.max(e,a),65536))))return!0}return!1}var De={varargs:void 0,get:function(){return De.varargs+=4,te[De.varargs-4>>>2]},getStr:function(e){return T(e)}};function Oe(e){return 52}function ke(e,t,n,r,i){return 70}var Ae=[null,[],[]];function je(e,t){var n=Ae[e];t===0||t===10?((e===1?v:y)(w(n,0)),n.length=0):n.push(t)}function L(e,t,n,r){for(var i=0,a=0;a<n;a++){var o=A[t>>>2],s=A[t+4>>>2];t+=8;for(var c=0;c<s;c++)je(e,k[o+c>>>0]);i+=s}return A[r>>>2]=i,0}function R(e){return n[`_`+e]}function Me(e,t){O.set(e,t>>>0)}function Ne(e,t,n,r,i){var a={string:e=>{var t=0;if(e!=null&&e!==0){var n=(e.length<<2)+1;t=lr(n),E(e,t,n)}return t},array:e=>{var t=lr(e.length);return Me(e,t),t}};function o(e){return t===`string`?T(e):t===`boolean`?!!e:e}var s=R(e),c=[],l=0;if(r)for(var u=0;u<r.length;u++){var d=a[n[u]];d?(l===0&&(l=sr()),c[u]=d(r[u])):c[u]=r[u]}var f=s.apply(null,c);function p(e){return l!==0&&cr(l),o(e)}return f=p(f),f}function Pe(e,t,n,r){n||=[];var i=n.every(e=>e===`number`||e===`boolean`);return t!==`string`&&i&&!r?R(e):function(){return Ne(e,t,n,arguments,r)}}var Fe={abort:Se,emscripten_get_heap_max:we,emscripten_memcpy_big:I,emscripten_resize_heap:Ee,fd_close:Oe,fd_seek:ke,fd_write:L};F();var Ie=n.___wasm_call_ctors=function(){return(Ie=n.___wasm_call_ctors=n.asm.__wasm_call_ctors).apply(null,arguments)},Le=n._init=function(){return(Le=n._init=n.asm.init).apply(null,arguments)},Re=n._init_with_threads_count=function(){return(Re=n._init_with_threads_count=n.asm.init_with_threads_count).apply(null,arguments)},ze=n._get_threads_count=function(){return(ze=n._get_threads_count=n.asm.get_threads_count).apply(null,arguments)},Be=n._register_tensor=function(){return(Be=n._register_tensor=n.asm.register_tensor).apply(null,arguments)},Ve=n._dispose_data=function(){return(Ve=n._dispose_data=n.asm.dispose_data).apply(null,arguments)},He=n._dispose=function(){return(He=n._dispose=n.asm.dispose).apply(null,arguments)},Ue=n._Abs=function(){return(Ue=n._Abs=n.asm.Abs).apply(null,arguments)},We=n._Acos=function(){return(We=n._Acos=n.asm.Acos).apply(null,arguments)},z=n._Acosh=function(){return(z=n._Acosh=n.asm.Acosh).apply(null,arguments)},B=n._Add=function(){return(B=n._Add=n.asm.Add).apply(null,arguments)},Ge=n._AddN=function(){return(Ge=n._AddN=n.asm.AddN).apply(null,arguments)},Ke=n._All=function(){return(Ke=n._All=n.asm.All).apply(null,arguments)},qe=n._Any=function(){return(qe=n._Any=n.asm.Any).apply(null,arguments)},Je=n._ArgMax=function(){return(Je=n._ArgMax=n.asm.ArgMax).apply(null,arguments)},Ye=n._ArgMin=function(){return(Ye=n._ArgMin=n.asm.ArgMin).apply(null,arguments)},Xe=n._Asin=function(){return(Xe=n._Asin=n.asm.Asin).apply(null,arguments)},Ze=n._Asinh=function(){return(Ze=n._Asinh=n.asm.Asinh).apply(null,arguments)},Qe=n._Atan=function(){return(Qe=n._Atan=n.asm.Atan).apply(null,arguments)},$e=n._Atan2=function(){return($e=n._Atan2=n.asm.Atan2).apply(null,arguments)},et=n._Atanh=function(){return(et=n._Atanh=n.asm.Atanh).apply(null,arguments)},tt=n._AvgPool=function(){return(tt=n._AvgPool=n.asm.AvgPool).apply(null,arguments)},nt=n._AvgPool3D=function(){return(nt=n._AvgPool3D=n.asm.AvgPool3D).apply(null,arguments)},V=n._AvgPool3DGrad=function(){return(V=n._AvgPool3DGrad=n.asm.AvgPool3DGrad).apply(null,arguments)},rt=n._AvgPoolGrad=function(){return(rt=n._AvgPoolGrad=n.asm.AvgPoolGrad).apply(null,arguments)},it=n._BatchMatMul=function(){return(it=n._BatchMatMul=n.asm.BatchMatMul).apply(null,arguments)},at=n._Bincount=function(){return(at=n._Bincount=n.asm.Bincount).apply(null,arguments)},H=n._BitwiseAnd=function(){return(H=n._BitwiseAnd=n.asm.BitwiseAnd).apply(null,arguments)},ot=n._Ceil=function(){return(ot=n._Ceil=n.asm.Ceil).apply(null,arguments)},st=n._ClipByValue=function(){return(st=n._ClipByValue=n.asm.ClipByValue).apply(null,arguments)},ct=n._Conv2D=function(){return(ct=n._Conv2D=n.asm.Conv2D).apply(null,arguments)},lt=n._Conv2DBackpropInput=function(){return(lt=n._Conv2DBackpropInput=n.asm.Conv2DBackpropInput).apply(null,arguments)},ut=n._Conv3D=function(){return(ut=n._Conv3D=n.asm.Conv3D).apply(null,arguments)},dt=n._Conv3DBackpropFilterV2=function(){return(dt=n._Conv3DBackpropFilterV2=n.asm.Conv3DBackpropFilterV2).apply(null,arguments)},ft=n._Conv3DBackpropInputV2=function(){return(ft=n._Conv3DBackpropInputV2=n.asm.Conv3DBackpropInputV2).apply(null,arguments)},pt=n._Cos=function(){return(pt=n._Cos=n.asm.Cos).apply(null,arguments)},mt=n._Cosh=function(){return(mt=n._Cosh=n.asm.Cosh).apply(null,arguments)},ht=n._CropAndResize=function(){return(ht=n._CropAndResize=n.asm.CropAndResize).apply(null,arguments)},gt=n._Cumprod=function(){return(gt=n._Cumprod=n.asm.Cumprod).apply(null,arguments)},U=n._Cumsum=function(){return(U=n._Cumsum=n.asm.Cumsum).apply(null,arguments)},_t=n._DenseBincount=function(){return(_t=n._DenseBincount=n.asm.DenseBincount).apply(null,arguments)},vt=n._DepthToSpace=function(){return(vt=n._DepthToSpace=n.asm.DepthToSpace).apply(null,arguments)},yt=n._DepthwiseConv2dNative=function(){return(yt=n._DepthwiseConv2dNative=n.asm.DepthwiseConv2dNative).apply(null,arguments)},bt=n._Diag=function(){return(bt=n._Diag=n.asm.Diag).apply(null,arguments)},xt=n._Dilation2D=function(){return(xt=n._Dilation2D=n.asm.Dilation2D).apply(null,arguments)},St=n._Dilation2DBackpropFilter=function(){return(St=n._Dilation2DBackpropFilter=n.asm.Dilation2DBackpropFilter).apply(null,arguments)},Ct=n._Dilation2DBackpropInput=function(){return(Ct=n._Dilation2DBackpropInput=n.asm.Dilation2DBackpropInput).apply(null,arguments)},wt=n._Elu=function(){return(wt=n._Elu=n.asm.Elu).apply(null,arguments)},W=n._EluGrad=function(){return(W=n._EluGrad=n.asm.EluGrad).apply(null,arguments)},Tt=n._Equal=function(){return(Tt=n._Equal=n.asm.Equal).apply(null,arguments)},Et=n._Erf=function(){return(Et=n._Erf=n.asm.Erf).apply(null,arguments)},G=n._Exp=function(){return(G=n._Exp=n.asm.Exp).apply(null,arguments)},Dt=n._Expm1=function(){return(Dt=n._Expm1=n.asm.Expm1).apply(null,arguments)},Ot=n._FlipLeftRight=function(){return(Ot=n._FlipLeftRight=n.asm.FlipLeftRight).apply(null,arguments)},kt=n._Floor=function(){return(kt=n._Floor=n.asm.Floor).apply(null,arguments)},K=n._FloorDiv=function(){return(K=n._FloorDiv=n.asm.FloorDiv).apply(null,arguments)},q=n._FusedBatchNorm=function(){return(q=n._FusedBatchNorm=n.asm.FusedBatchNorm).apply(null,arguments)},At=n._FusedConv2D=function(){return(At=n._FusedConv2D=n.asm.FusedConv2D).apply(null,arguments)},jt=n._FusedDepthwiseConv2D=function(){return(jt=n._FusedDepthwiseConv2D=n.asm.FusedDepthwiseConv2D).apply(null,arguments)},Mt=n._Gather=function(){return(Mt=n._Gather=n.asm.Gather).apply(null,arguments)},Nt=n._GatherNd=function(){return(Nt=n._GatherNd=n.asm.GatherNd).apply(null,arguments)},Pt=n._Greater=function(){return(Pt=n._Greater=n.asm.Greater).apply(null,arguments)},J=n._GreaterEqual=function(){return(J=n._GreaterEqual=n.asm.GreaterEqual).apply(null,arguments)},Y=n._IsFinite=function(){return(Y=n._IsFinite=n.asm.IsFinite).apply(null,arguments)},Ft=n._IsInf=function(){return(Ft=n._IsInf=n.asm.IsInf).apply(null,arguments)},It=n._IsNan=function(){return(It=n._IsNan=n.asm.IsNan).apply(null,arguments)},Lt=n._LRN=function(){return(Lt=n._LRN=n.asm.LRN).apply(null,arguments)},Rt=n._LRNGrad=function(){return(Rt=n._LRNGrad=n.asm.LRNGrad).apply(null,arguments)},zt=n._LeakyRelu=function(){return(zt=n._LeakyRelu=n.asm.LeakyRelu).apply(null,arguments)},Bt=n._Less=function(){return(Bt=n._Less=n.asm.Less).apply(null,arguments)},Vt=n._LessEqual=function(){return(Vt=n._LessEqual=n.asm.LessEqual).apply(null,arguments)},Ht=n._LinSpace=function(){return(Ht=n._LinSpace=n.asm.LinSpace).apply(null,arguments)},Ut=n._Log=function(){return(Ut=n._Log=n.asm.Log).apply(null,arguments)},Wt=n._Log1p=function(){return(Wt=n._Log1p=n.asm.Log1p).apply(null,arguments)},Gt=n._LogicalAnd=function(){return(Gt=n._LogicalAnd=n.asm.LogicalAnd).apply(null,arguments)},Kt=n._LogicalNot=function(){return(Kt=n._LogicalNot=n.asm.LogicalNot).apply(null,arguments)},qt=n._LogicalOr=function(){return(qt=n._LogicalOr=n.asm.LogicalOr).apply(null,arguments)},Jt=n._LogicalXor=function(){return(Jt=n._LogicalXor=n.asm.LogicalXor).apply(null,arguments)},Yt=n._Max=function(){return(Yt=n._Max=n.asm.Max).apply(null,arguments)},Xt=n._MaxPool=function(){return(Xt=n._MaxPool=n.asm.MaxPool).apply(null,arguments)},Zt=n._MaxPool3D=function(){return(Zt=n._MaxPool3D=n.asm.MaxPool3D).apply(null,arguments)},Qt=n._MaxPool3DGrad=function(){return(Qt=n._MaxPool3DGrad=n.asm.MaxPool3DGrad).apply(null,arguments)},$t=n._MaxPoolGrad=function(){return($t=n._MaxPoolGrad=n.asm.MaxPoolGrad).apply(null,arguments)},en=n._MaxPoolWithArgmax=function(){return(en=n._MaxPoolWithArgmax=n.asm.MaxPoolWithArgmax).apply(null,arguments)},tn=n._Maximum=function(){return(tn=n._Maximum=n.asm.Maximum).apply(null,arguments)},nn=n._Mean=function(){return(nn=n._Mean=n.asm.Mean).apply(null,arguments)},rn=n._Min=function(){return(rn=n._Min=n.asm.Min).apply(null,arguments)},an=n._Minimum=function(){return(an=n._Minimum=n.asm.Minimum).apply(null,arguments)},on=n._MirrorPad=function(){return(on=n._MirrorPad=n.asm.MirrorPad).apply(null,arguments)},sn=n._Mod=function(){return(sn=n._Mod=n.asm.Mod).apply(null,arguments)},cn=n._Multinomial=function(){return(cn=n._Multinomial=n.asm.Multinomial).apply(null,arguments)},ln=n._Multiply=function(){return(ln=n._Multiply=n.asm.Multiply).apply(null,arguments)},un=n._Neg=function(){return(un=n._Neg=n.asm.Neg).apply(null,arguments)},dn=n._NonMaxSuppressionV3=function(){return(dn=n._NonMaxSuppressionV3=n.asm.NonMaxSuppressionV3).apply(null,arguments)},pn=n._NonMaxSuppressionV4=function(){return(pn=n._NonMaxSuppressionV4=n.asm.NonMaxSuppressionV4).apply(null,arguments)},mn=n._NonMaxSuppressionV5=function(){return(mn=n._NonMaxSuppressionV5=n.asm.NonMaxSuppressionV5).apply(null,arguments)},hn=n._NotEqual=function(){return(hn=n._NotEqual=n.asm.NotEqual).apply(null,arguments)},gn=n._OneHot=function(){return(gn=n._OneHot=n.asm.OneHot).apply(null,arguments)},_n=n._PadV2=function(){return(_n=n._PadV2=n.asm.PadV2).apply(null,arguments)},vn=n._Pow=function(){return(vn=n._Pow=n.asm.Pow).apply(null,arguments)},yn=n._Prelu=function(){return(yn=n._Prelu=n.asm.Prelu).apply(null,arguments)},bn=n._Prod=function(){return(bn=n._Prod=n.asm.Prod).apply(null,arguments)},xn=n._RealDiv=function(){return(xn=n._RealDiv=n.asm.RealDiv).apply(null,arguments)},Sn=n._Reciprocal=function(){return(Sn=n._Reciprocal=n.asm.Reciprocal).apply(null,arguments)},X=n._Relu=function(){return(X=n._Relu=n.asm.Relu).apply(null,arguments)},Cn=n._Relu6=function(){return(Cn=n._Relu6=n.asm.Relu6).apply(null,arguments)},wn=n._ResizeBilinear=function(){return(wn=n._ResizeBilinear=n.asm.ResizeBilinear).apply(null,arguments)},Tn=n._ResizeBilinearGrad=function(){return(Tn=n._ResizeBilinearGrad=n.asm.ResizeBilinearGrad).apply(null,arguments)},Z=n._ResizeNearestNeighbor=function(){return(Z=n._ResizeNearestNeighbor=n.asm.ResizeNearestNeighbor).apply(null,arguments)},En=n._ResizeNearestNeighborGrad=function(){return(En=n._ResizeNearestNeighborGrad=n.asm.ResizeNearestNeighborGrad).apply(null,arguments)},Q=n._Reverse=function(){return(Q=n._Reverse=n.asm.Reverse).apply(null,arguments)},Dn=n._RotateWithOffset=function(){return(Dn=n._RotateWithOffset=n.asm.RotateWithOffset).apply(null,arguments)},On=n._Round=function(){return(On=n._Round=n.asm.Round).apply(null,arguments)},kn=n._Rsqrt=function(){return(kn=n._Rsqrt=n.asm.Rsqrt).apply(null,arguments)},An=n._ScatterNd=function(){return(An=n._ScatterNd=n.asm.ScatterNd).apply(null,arguments)},jn=n._SearchSorted=function(){return(jn=n._SearchSorted=n.asm.SearchSorted).apply(null,arguments)},Mn=n._SelectV2=function(){return(Mn=n._SelectV2=n.asm.SelectV2).apply(null,arguments)},Nn=n._Selu=function(){return(Nn=n._Selu=n.asm.Selu).apply(null,arguments)},Pn=n._Sigmoid=function(){return(Pn=n._Sigmoid=n.asm.Sigmoid).apply(null,arguments)},Fn=n._Sign=function(){return(Fn=n._Sign=n.asm.Sign).apply(null,arguments)},In=n._Sin=function(){return(In=n._Sin=n.asm.Sin).apply(null,arguments)},Ln=n._Sinh=function(){return(Ln=n._Sinh=n.asm.Sinh).apply(null,arguments)},Rn=n._Softmax=function(){return(Rn=n._Softmax=n.asm.Softmax).apply(null,arguments)},zn=n._Softplus=function(){return(zn=n._Softplus=n.asm.Softplus).apply(null,arguments)},$=n._SparseFillEmptyRows=function(){return($=n._SparseFillEmptyRows=n.asm.SparseFillEmptyRows).apply(null,arguments)},Bn=n._SparseReshape=function(){return(Bn=n._SparseReshape=n.asm.SparseReshape).apply(null,arguments)},Vn=n._SparseSegmentReduction=function(){return(Vn=n._SparseSegmentReduction=n.asm.SparseSegmentReduction).apply(null,arguments)},Hn=n._SparseToDense=function(){return(Hn=n._SparseToDense=n.asm.SparseToDense).apply(null,arguments)},Un=n._Sqrt=function(){return(Un=n._Sqrt=n.asm.Sqrt).apply(null,arguments)},Wn=n._Square=function(){return(Wn=n._Square=n.asm.Square).apply(null,arguments)},Gn=n._SquaredDifference=function(){return(Gn=n._SquaredDifference=n.asm.SquaredDifference).apply(null,arguments)},Kn=n._Step=function(){return(Kn=n._Step=n.asm.Step).apply(null,arguments)},qn=n._StridedSlice=function(){return(qn=n._StridedSlice=n.asm.StridedSlice).apply(null,arguments)},Jn=n._Sub=function(){return(Jn=n._Sub=n.asm.Sub).apply(null,arguments)},Yn=n._Sum=function(){return(Yn=n._Sum=n.asm.Sum).apply(null,arguments)},Xn=n._Tan=function(){return(Xn=n._Tan=n.asm.Tan).apply(null,arguments)},Zn=n._Tanh=function(){return(Zn=n._Tanh=n.asm.Tanh).apply(null,arguments)},Qn=n._TensorScatterUpdate=function(){return(Qn=n._TensorScatterUpdate=n.asm.TensorScatterUpdate).apply(null,arguments)},$n=n._Tile=function(){return($n=n._Tile=n.asm.Tile).apply(null,arguments)},er=n._TopK=function(){return(er=n._TopK=n.asm.TopK).apply(null,arguments)},tr=n._Transform=function(){return(tr=n._Transform=n.asm.Transform).apply(null,arguments)},nr=n._Transpose=function(){return(nr=n._Transpose=n.asm.Transpose).apply(null,arguments)},rr=n.__FusedMatMul=function(){return(rr=n.__FusedMatMul=n.asm._FusedMatMul).apply(null,arguments)},ir=n._malloc=function(){return(ir=n._malloc=n.asm.malloc).apply(null,arguments)},ar=n._free=function(){return(ar=n._free=n.asm.free).apply(null,arguments)},or=n.___errno_location=function(){return(or=n.___errno_location=n.asm.__errno_location).apply(null,arguments)},sr=n.stackSave=function(){return(sr=n.stackSave=n.asm.stackSave).apply(null,arguments)},cr=n.stackRestore=function(){return(cr=n.stackRestore=n.asm.stackRestore).apply(null,arguments)},lr=n.stackAlloc=function(){return(lr=n.stackAlloc=n.asm.stackAlloc).apply(null,arguments)},ur=n.dynCall_iijjiiii=function(){return(ur=n.dynCall_iijjiiii=n.asm.dynCall_iijjiiii).apply(null,arguments)},dr=n.dynCall_jiji=function(){return(dr=n.dynCall_jiji=n.asm.dynCall_jiji).apply(null,arguments)};n.cwrap=Pe;var fr;fe=function e(){fr||pr(),fr||(fe=e)};function pr(e){if(e||=s,M>0||(oe(),M>0))return;function t(){fr||(fr=!0,n.calledRun=!0,S||(se(),r(n),n.onRuntimeInitialized&&n.onRuntimeInitialized(),ce()))}n.setStatus?(n.setStatus(`Running...`),setTimeout(function(){setTimeout(function(){n.setStatus(``)},1),t()},1)):t()}if(n.preInit)for(typeof n.preInit==`function`&&(n.preInit=[n.preInit]);n.preInit.length>0;)n.preInit.pop()();pr();var mr;a&&(mr={uncaughtException:process.listeners(`uncaughtException`).filter(function(e){return!a.uncaughtException.indexOf(e)>-1}),unhandledRejection:process.listeners(`unhandledRejection`).filter(function(e){return!a.unhandledRejection.indexOf(e)>-1})});var hr;if(t!==void 0)hr=t;else if(typeof WasmBackendModuleThreadedSimd<`u`)hr=WasmBackendModuleThreadedSimd;else throw Error(`Could not find wasm module in post.js`);if(mr){var gr=hr._dispose;hr._dispose=function(){gr(),mr.uncaughtException.forEach(function(e){process.removeListener(`uncaughtException`,e)}),mr.unhandledRejection.forEach(function(e){process.removeListener(`unhandledRejection`,e)})}}return t.ready})})();typeof e==`object`&&typeof t==`object`?t.exports=n:typeof define==`function`&&define.amd?define([],function(){return n}):typeof e==`object`&&(e.WasmBackendModule=n)})),hr=/* @__PURE__ */ c(fr()),gr=pr(),_r=/* @__PURE__ */ c(mr());
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let vr=hr.default||hr,yr=_r.default||_r;var br=class extends ee{constructor(e){super(),this.wasm=e,this.dataIdNextNumber=1,this.wasm.tfjs.initWithThreadsCount(Mr),Nr=this.wasm.tfjs.getThreadsCount(),this.dataIdMap=new T(this,Pt())}write(e,t,n){let r={id:this.dataIdNextNumber++};return this.move(r,e,t,n,1),r}numDataIds(){return this.dataIdMap.numDataIds()}async time(e){let t=Ve();return e(),{kernelMs:Ve()-t}}move(e,t,n,r,i){let a=this.dataIdNextNumber++;if(r===`string`){let o=t;this.dataIdMap.set(e,{id:a,stringBytes:o,shape:n,dtype:r,memoryOffset:null,refCount:i});return}let o=O(n),s=o*ae(r),c=this.wasm._malloc(s)>>>0;this.dataIdMap.set(e,{id:a,memoryOffset:c,shape:n,dtype:r,refCount:i}),this.wasm.tfjs.registerTensor(a,o,c),t!=null&&this.wasm.HEAPU8.set(new Uint8Array(t.buffer,t.byteOffset,s),c)}async read(e){return this.readSync(e)}readSync(e,t,n){let{memoryOffset:r,dtype:i,shape:a,stringBytes:o}=this.dataIdMap.get(e);if(i===`string`)return(t==null||t===0)&&(n==null||n>=o.length)?o:o.slice(t,n);t||=0,n||=O(a);let s=ae(i);return wr(this.wasm.HEAPU8.slice(r+t*s,r+n*s).buffer,i)}disposeData(e,t=!1){if(this.dataIdMap.has(e)){let n=this.dataIdMap.get(e);if(n.refCount--,!t&&n.refCount>0)return!1;this.wasm._free(n.memoryOffset),this.wasm.tfjs.disposeData(n.id),this.dataIdMap.delete(e)}return!0}refCount(e){return this.dataIdMap.has(e)?this.dataIdMap.get(e).refCount:0}incRef(e){let t=this.dataIdMap.get(e);t!=null&&t.refCount++}floatPrecision(){return 32}getMemoryOffset(e){return this.dataIdMap.get(e).memoryOffset}dispose(){this.wasm.tfjs.dispose(),`PThread`in this.wasm&&this.wasm.PThread.terminateAllThreads(),this.wasm=null}memory(){return{unreliable:!1}}makeOutput(e,t,n,r){let i;if(n==null)i=this.write(r??null,e,t);else{let r=this.dataIdNextNumber++;i={id:r},this.dataIdMap.set(i,{id:r,memoryOffset:n,shape:e,dtype:t,refCount:1});let a=O(e);this.wasm.tfjs.registerTensor(r,a,n)}return{dataId:i,shape:e,dtype:t}}typedArrayFromHeap({shape:e,dtype:t,dataId:n}){let r=this.wasm.HEAPU8.buffer,{memoryOffset:i}=this.dataIdMap.get(n),a=O(e);switch(t){case`float32`:return new Float32Array(r,i,a);case`int32`:return new Int32Array(r,i,a);case`bool`:return new Uint8Array(r,i,a);default:throw Error(`Unknown dtype ${t}`)}}};function xr(e){return(t,n)=>(He(e,{credentials:`same-origin`}).then(r=>{r.ok||t.env.a(`failed to load wasm binary file at '${e}'`),r.arrayBuffer().then(e=>{WebAssembly.instantiate(e,t).then(e=>{n(e.instance,e.module)})})}),{})}function Sr(e,t,n){if(Er!=null)return Er;let r=`tfjs-backend-wasm.wasm`;return e&&t?r=`tfjs-backend-wasm-threaded-simd.wasm`:e&&(r=`tfjs-backend-wasm-simd.wasm`),Or!=null&&Or[r]!=null?Or[r]:n+r}async function Cr(){let[e,t]=await Promise.all([F().getAsync(`WASM_HAS_SIMD_SUPPORT`),F().getAsync(`WASM_HAS_MULTITHREAD_SUPPORT`)]);return new Promise((n,r)=>{let i={};i.locateFile=(n,r)=>{if(n.endsWith(`.worker.js`)){let e=gr.wasmWorkerContents.replace(/\n/g,`\\n`),t=new Blob([e],{type:`application/javascript`});return URL.createObjectURL(t)}return n.endsWith(`.wasm`)?Sr(e,t,Dr??r):r+n},Ar&&(i.instantiateWasm=xr(Sr(e,t,Dr??``)));let a=!1;i.onAbort=()=>{a||kr||(kr=!0,r({message:"Make sure the server can serve the `.wasm` file relative to the bundled js file. For more details see https://github.com/tensorflow/tfjs/blob/master/tfjs-backend-wasm/README.md#using-bundlers"}))};let o;t&&e&&Er==null?(i.mainScriptUrlOrBlob=new Blob([`var WasmBackendModuleThreadedSimd = `+vr.toString()],{type:`text/javascript`}),o=vr(i)):o=yr(i),o.then(e=>{a=!0,kr=!1,e.tfjs={init:e.cwrap(`init`,null,[]),initWithThreadsCount:e.cwrap(`init_with_threads_count`,null,[`number`]),getThreadsCount:e.cwrap(`get_threads_count`,`number`,[]),registerTensor:e.cwrap(`register_tensor`,null,[`number`,`number`,`number`]),disposeData:e.cwrap(`dispose_data`,null,[`number`]),dispose:e.cwrap(`dispose`,null,[])},n({wasm:e})}).catch(r)})}function wr(e,t){switch(t){case`float32`:return new Float32Array(e);case`int32`:return new Int32Array(e);case`bool`:return new Uint8Array(e);default:throw Error(`Unknown dtype ${t}`)}}let Tr=[`tfjs-backend-wasm.wasm`,`tfjs-backend-wasm-simd.wasm`,`tfjs-backend-wasm-threaded-simd.wasm`],Er=null,Dr=null,Or={},kr=!1,Ar=!1;function jr(e,t=!1){if(kr)throw Error("The WASM backend was already initialized. Make sure you call `setWasmPaths()` before you call `tf.setBackend()` or `tf.ready()`");if(typeof e==`string`)Dr=e;else{Or=e;let t=Tr.filter(e=>Or[e]==null);if(t.length>0)throw Error(`There were no entries found for the following binaries: ${t.join(`,`)}. Please either call setWasmPaths with a map providing a path for each binary, or with a string indicating the directory where all the binaries can be found.`)}Ar=t}let Mr=-1,Nr=-1;
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
Lt(`wasm`,async()=>{let{wasm:e}=await Cr();return new br(e)},2);
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
var Pr;(function(e){e[e.float32=0]=`float32`,e[e.int32=1]=`int32`,e[e.bool=2]=`bool`,e[e.string=3]=`string`,e[e.complex64=4]=`complex64`})(Pr||={});var Fr;(function(e){e[e.linear=0]=`linear`,e[e.relu=1]=`relu`,e[e.relu6=2]=`relu6`,e[e.prelu=3]=`prelu`,e[e.leakyrelu=4]=`leakyrelu`,e[e.sigmoid=5]=`sigmoid`,e[e.elu=6]=`elu`})(Fr||={});
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Ir(e,t,n){let r;function i(t){r=t.wasm.cwrap(e,null,[`number`,`array`,`number`,`number`,`array`,`number`,`number`,`number`])}function a(e){let{backend:t,inputs:i}=e,{a,b:o}=i,s=t.dataIdMap.get(a.dataId).id,c=t.dataIdMap.get(o.dataId).id,l=n??a.dtype,u=Rn(a.shape,o.shape),d=t.makeOutput(u,l);if(O(u)===0)return d;let f=new Uint8Array(new Int32Array(a.shape).buffer),p=new Uint8Array(new Int32Array(o.shape).buffer),m=t.dataIdMap.get(d.dataId).id;return r(s,f,a.shape.length,c,p,o.shape.length,Pr[a.dtype],m),d}return{kernelName:e,backendName:`wasm`,setupFunc:i,kernelFunc:a}}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let Lr=Ir(`Add`,!0),Rr
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;function zr(e){Rr=e.wasm.cwrap(Ee,null,[`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`])}function Br(e){let{inputs:t,attrs:n,backend:r}=e,{x:i,filter:a}=t,o=r.dataIdMap.get(i.dataId).id,s=r.dataIdMap.get(a.dataId).id,{strides:c,dilations:l,pad:u,dimRoundingMode:d}=n,f=l??[1,1],p=An(i.shape,a.shape,c,f,u,d,!0),m=p.filterHeight,h=p.filterWidth,g=p.padInfo.top,_=p.padInfo.right,v=p.padInfo.bottom,y=p.padInfo.left,b=p.dilationHeight,x=p.dilationWidth,S=p.strideHeight,C=p.strideWidth,w=p.inChannels,T=p.outChannels,ee=+(p.padInfo.type===`SAME`);if(p.dataFormat!==`channelsLast`)throw Error(`wasm backend DepthwiseConv2dNative does not support dataFormat:'${p.dataFormat}'. Please use 'channelsLast'.`);let E=r.makeOutput(p.outShape,`float32`),D=r.dataIdMap.get(E.dataId).id;return Rr(o,i.shape[0],i.shape[1],i.shape[2],s,m,h,g,_,v,y,ee,b,x,S,C,w,T,D),E}let Vr={kernelName:Ee,backendName:`wasm`,setupFunc:zr,kernelFunc:Br},Hr
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;function Ur(e){Hr=e.wasm.cwrap(je,null,[`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`])}function Wr(e){let{inputs:t,attrs:n,backend:r}=e,{x:i,filter:a,bias:o,preluActivationWeights:s}=t,{strides:c,pad:l,dilations:u,dataFormat:d,dimRoundingMode:f,activation:p,leakyreluAlpha:m}=n,h=An(i.shape,a.shape,c,u,l,f),g=Fr[p];if(g==null)throw Error(`${p} activation not yet supported for FusedConv2D in the wasm backend.`);let _=r.dataIdMap.get(i.dataId).id,v=r.dataIdMap.get(a.dataId).id,y=h.outChannels,b=0;if(o!=null){let e=r.dataIdMap.get(o.dataId);if(e.shape.length!==1)throw Error(`FusedConv2D only supports rank-1 bias but got rank ${e.shape.length}.`);if(e.shape[0]!==y)throw Error(`FusedConv2D bias shape (${e.shape}) does not match the number of output channels (${y})`);b=e.id}let x=h.filterHeight,S=h.filterWidth,C=h.padInfo.top,w=h.padInfo.right,T=h.padInfo.bottom,ee=h.padInfo.left,E=h.dilationHeight,D=h.dilationWidth,O=h.strideHeight,k=h.strideWidth,te=h.inChannels,A=+(h.padInfo.type===`SAME`),ne=h.batchSize,re=h.inHeight,ie=h.inWidth;if(d!==`NHWC`)throw Error(`wasm backend FusedConv2D does not support dataFormat:'${d}'. Please use 'NHWC'.`);let ae=r.makeOutput(h.outShape,`float32`),oe=r.dataIdMap.get(ae.dataId).id,se=s==null?0:r.dataIdMap.get(s.dataId).id;return Hr(_,ne,re,ie,v,x,S,b,C,w,T,ee,A,E,D,O,k,te,y,g,se,m||0,oe),ae}let Gr={kernelName:je,backendName:`wasm`,setupFunc:Ur,kernelFunc:Wr},Kr
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;function qr(e){Kr=e.wasm.cwrap(Oe,null,[`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`,`number`])}function Jr(e){let{inputs:t,attrs:n,backend:r}=e,i=t.x,a=r.dataIdMap.get(i.dataId).id;D(i.dtype===`float32`,()=>`Error in MaxPool: only float32 input is supported. Got ${i.dtype}.`);let{filterSize:o,strides:s,pad:c,dimRoundingMode:l}=n,u=kn(i.shape,o,s,1,c,l),d=u.filterHeight,f=u.filterWidth,p=u.padInfo.top,m=u.padInfo.right,h=u.padInfo.bottom,g=u.padInfo.left,_=u.dilationHeight,v=u.dilationWidth,y=u.strideHeight,b=u.strideWidth,x=u.inChannels,S=u.outChannels;if(u.dataFormat!==`channelsLast`)throw Error(`wasm backend does not support dataFormat:'${u.dataFormat}'. Please use 'channelsLast'.`);let C=r.makeOutput(u.outShape,`float32`),w=r.dataIdMap.get(C.dataId).id;return Kr(a,i.shape[0],i.shape[1],i.shape[2],d,f,p,m,h,g,_,v,y,b,x,S,w),C}let Yr={kernelName:Oe,backendName:`wasm`,setupFunc:qr,kernelFunc:Jr};
/**
* @license
* Copyright 2020 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function Xr(e){let{attrs:{shape:t,value:n},backend:r}=e,{attrs:{dtype:i}}=e;i||=ue(n);let a=r.makeOutput(t,i);return r.typedArrayFromHeap(a).fill(n),a}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let Zr;function Qr(e){Zr=e.wasm.cwrap(ke,null,[`number`,`array`,`number`,`number`,`array`,`array`,`number`,`number`])}function $r(e){let{inputs:{x:t},backend:n,attrs:{paddings:r,constantValue:i}}=e,a=r.map((e,n)=>e[0]+t.shape[n]+e[1]);if(O(t.shape)===0)return Xr({backend:n,attrs:{shape:a,value:i,dtype:t.dtype}});let o=n.dataIdMap.get(t.dataId).id,s=n.makeOutput(a,t.dtype),c=n.dataIdMap.get(s.dataId).id,l=new Uint8Array(new Int32Array(t.shape).buffer),u=r.map(e=>e[0]),d=r.map(e=>e[1]),f=new Uint8Array(new Int32Array(u).buffer),p=new Uint8Array(new Int32Array(d).buffer);return Zr(o,l,t.shape.length,Pr[t.dtype],f,p,i,c),s}let ei={kernelName:ke,backendName:`wasm`,kernelFunc:$r,setupFunc:Qr};
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function ti(e){let{inputs:{x:t},attrs:{dtype:n},backend:r}=e,i=r.makeOutput(t.shape,n),a=r.typedArrayFromHeap(t);return r.typedArrayFromHeap(i).set(a),i}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let ni;function ri(e){ni=e.wasm.cwrap(Ae,null,[`number`,`number`,`number`])}function ii(e){let{inputs:t,backend:n}=e,{x:r,alpha:i}=t,a=n.dataIdMap.get(r.dataId).id,o=n.dataIdMap.get(i.dataId).id,s=a,c=r,l=c;c.dtype!==`float32`&&(l=ti({backend:n,inputs:{x:r},attrs:{dtype:`float32`}}),s=n.dataIdMap.get(l.dataId).id);let u=n.makeOutput(r.shape,`float32`),d=n.dataIdMap.get(u.dataId).id;return ni(s,o,d),c.dtype!==`float32`&&n.disposeData(l.dataId),u}let ai={kernelName:Ae,backendName:`wasm`,setupFunc:ri,kernelFunc:ii};
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function oi(e,t){let n;function r(t){n=t.wasm.cwrap(e,null,[`number`,`number`,`number`])}function i(e){let{backend:r,inputs:{x:i}}=e,a=r.dataIdMap.get(i.dataId).id,o=r.makeOutput(i.shape,t||i.dtype),s=r.dataIdMap.get(o.dataId).id;return O(o.shape)===0||n(a,Pr[i.dtype],s),o}return{kernelName:e,backendName:`wasm`,setupFunc:r,kernelFunc:i}}
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
let si=oi(`Relu`);
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
function ci(e){let{inputs:t,attrs:n}=e,{x:r}=t,{shape:i}=n,a=O(r.shape),o=A(i,a);return D(a===O(o),()=>`new shape: ${o}, old shape: ${r.shape}. New shape and old shape must have the same number of elements.`),e.backend.incRef(r.dataId),{dataId:r.dataId,shape:o,dtype:r.dtype}}let li={kernelName:`Reshape`,backendName:`wasm`,kernelFunc:ci},ui
/**
* @license
* Copyright 2019 Google LLC. All Rights Reserved.
* Licensed under the Apache License, Version 2.0 (the "License");
* you may not use this file except in compliance with the License.
* You may obtain a copy of the License at
*
* http://www.apache.org/licenses/LICENSE-2.0
*
* Unless required by applicable law or agreed to in writing, software
* distributed under the License is distributed on an "AS IS" BASIS,
* WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
* See the License for the specific language governing permissions and
* limitations under the License.
* =============================================================================
*/
;function di(e){ui=e.wasm.cwrap(`Sigmoid`,null,[`number`,`number`])}function fi(e){let{backend:t,inputs:{x:n}}=e,r=t.dataIdMap.get(n.dataId).id,i=t.makeOutput(n.shape,n.dtype),a=t.dataIdMap.get(i.dataId).id;return O(i.shape)===0||ui(r,a),i}let pi={kernelName:`Sigmoid`,backendName:`wasm`,setupFunc:di,kernelFunc:fi};var mi=`/app/tfjs-backend-wasm-simd-BrM3BlWr.wasm`,hi=`/app/blazeface-CQBa4mzY.bin`,gi=`/app/blazeface-tctdRopQ.json`,_i=`/app/facemesh-DBbhRwbv.bin`,vi=`/app/facemesh-CZ3W7oEd.json`,yi=class{constructor(e,t){this.detector=e,this.mesh=t}see(e){let t=f(e),n=this.detect(p(e,t,256,-1)),[r]=n,i=r&&this.points(e,x(r,t)),a=i&&this.points(e,S(i));return a?{faces:n,points:a}:{faces:n}}detect(e){let[t,n,r,i]=this.detector.run(e,256,[`Identity`,`Identity_2`,`Identity_1`,`Identity_3`]);return v([...t??[],...r??[]],[...n??[],...i??[]])}points(e,t){let[n,r]=this.mesh.run(p(e,t,192,0),192,[`Identity_1`,`Identity_2`]);return r&&(n?.[0]??0)>=.5?C(r,t):void 0}},bi=class{#e;#t;constructor(e,t){this.#e=e.modelTopology.node,this.#t=ki(e.weightsManifest.flatMap(e=>e.weights),t)}run(e,t,n){return J(()=>{let r=new Map(this.#t);for(let n of this.#e)n.op===`Placeholder`?r.set(n.name,jt(e,[1,t,t,3])):n.op!==`Const`&&r.set(n.name,Si(n,xi(n,r)));return n.map(e=>r.get(e)?.dataSync())})}};function xi(e,t){return(e.input??[]).map(n=>{let r=t.get(n);if(!r)throw Error(`${e.name}: no ${n}`);return r})}function Si(e,[t,n,r,i]){if(!t)throw Error(`${e.name}: no input`);switch(e.op){case`Identity`:return t;case`AddV2`:return Ci(`Add`,{a:t,b:n});case`Relu`:case`Sigmoid`:return Ci(e.op,{x:t});case`Prelu`:return Ci(`Prelu`,{x:t,alpha:n});case`Reshape`:return Ci(`Reshape`,{x:t},{shape:Di(n)});case`Pad`:return Ci(`PadV2`,{x:t},{paddings:Oi(Di(n)),constantValue:0});case`MaxPool`:return Ci(`MaxPool`,{x:t},{filterSize:Ti(e,`ksize`),...wi(e)});case`DepthwiseConv2dNative`:return Ci(`DepthwiseConv2dNative`,{x:t,filter:n},{...wi(e),dilations:[1,1]});case`_FusedConv2D`:return Ci(`FusedConv2D`,{x:t,filter:n,bias:r,preluActivationWeights:i},{...wi(e),dilations:[1,1],dataFormat:`NHWC`,activation:Ei(e)});default:throw Error(`${e.name}: no step ${e.op}`)}}function Ci(e,t,n={}){return Pt().runKernel(e,t,n)}function wi(e){return{strides:Ti(e,`strides`),pad:atob(e.attr?.padding?.s??``).toLowerCase()}}function Ti(e,t){let[,n,r]=(e.attr?.[t]?.list?.i??[]).map(Number);return[n,r]}function Ei(e){let t=(e.attr?.fused_ops?.list?.s??[]).map(atob);return t.includes(`Relu`)?`relu`:t.includes(`Prelu`)?`prelu`:`linear`}function Di(e){return[...e?.dataSync()??[]]}function Oi(e){return Array.from({length:e.length/2},(t,n)=>[e[2*n]??0,e[2*n+1]??0])}function ki(e,t){let n=/* @__PURE__ */ new Map,r=0;for(let{name:i,shape:a,dtype:o,quantization:s}of e){let e=a.reduce((e,t)=>e*t,1)*(s?2:4),c=t.slice(r,r+e);r+=e;let l=s?Ai(c):o===`int32`?new Int32Array(c):new Float32Array(c);n.set(i,Ft(jt(l,[...a],o)))}return n}function Ai(e){let t=new Uint16Array(e),n=new Float32Array(t.length),r=new Uint32Array(n.buffer);for(let e=0;e<t.length;e++){let i=t[e]??0,[a,o]=[i&32768,i&32767];o>=1024?r[e]=a<<16|(o<<13)+(112<<23):n[e]=(a?-o:o)*2**-24}return n}let ji=[Lr,Vr,Gr,Yr,ei,ai,si,li,pi];async function Mi(){let e=Promise.all([Ni(gi,hi),Ni(vi,_i)]);e.catch(()=>{}),jr({"tfjs-backend-wasm.wasm":mi,"tfjs-backend-wasm-simd.wasm":mi,"tfjs-backend-wasm-threaded-simd.wasm":mi});for(let e of ji)Ie(e);if(!await It(`wasm`))throw Error(`no WebAssembly`);let[t,n]=await e;return new yi(new bi(...t),new bi(...n))}async function Ni(e,t){let[n,r]=await Promise.all([Pi(e),Pi(t)]);return[await n.json(),await r.arrayBuffer()]}async function Pi(e){let t=await fetch(e);if(!t.ok)throw Error(`${e}: ${t.status}`);return t}let Fi=globalThis,Ii=Mi();Ii.then(()=>Fi.postMessage({state:`ready`}),e=>Fi.postMessage({state:`failed`,reason:String(e)})),addEventListener(`message`,async({data:e})=>{try{Li(await Ii,e.picture)}catch(e){Fi.postMessage({state:`failed`,reason:String(e)})}});function Li(e,t){let{width:n,height:r}=t,{faces:i,points:a}=e.see(t),o=a&&w(t,a),s=i.map(e=>Ri(e,t));Fi.postMessage({state:`seen`,faces:s,points:a,light:o,width:n,height:r},a?[a.buffer]:[])}function Ri({left:e,top:t,right:n,bottom:r},{width:i,height:a}){let o=Math.max(i,a),s=e=>.5+(e-.5)*o/i,c=e=>.5+(e-.5)*o/a;return{left:s(e),top:c(t),right:s(n),bottom:c(r)}}})();