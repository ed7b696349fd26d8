import { svg, type TemplateResult } from "lit";
import { encode } from "uqr";

/** Light modules around a QR code, which readers need. */
const margin = 4;

/** The dark modules of a QR code of a text as a path, and how many modules a side has with the margin. */
export function pathOf(text: string): { readonly side: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: "M", border: margin });
  const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { side: size, path: rows.join("") };
}

/** A QR code, dark on light in every theme. */
export function qr(text: string, label: string): TemplateResult {
  const { side, path } = pathOf(text);
  return svg`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">
    <rect width=${side} height=${side}/><path d=${path}/></svg>`;
}
