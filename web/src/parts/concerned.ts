import { html, type TemplateResult } from "lit";
import { catalogue, texts } from "../texts/texts.js";
import type { ConcernedFragment } from "./concerned.graphql.js";
import { dates } from "./time.js";

const en = {
  heading: "Leave that is counted anew",
  hint: "Its dates may change with the shifts. The people are told.",
  waits: "not decided",
};

const id: typeof en = {
  heading: "Cuti yang dihitung ulang",
  hint: "Tanggalnya dapat berubah mengikuti shift. Orangnya diberi tahu.",
  waits: "belum diputuskan",
};

const said = catalogue({ en, id });

/** The leave whose dates are counted anew after a change, each once; nothing where there is none. */
export function concerned(leaves: readonly ConcernedFragment[]): TemplateResult {
  const t = said();
  const each = [...new Map(leaves.map((l) => [l.id, l])).values()];
  if (each.length === 0) return html``;
  return html`<h2>${t.heading} <span class="number">${each.length}</span></h2><p class="hint">${t.hint}</p>
    <ul aria-label=${t.heading}>${each.map(
      (l) =>
        html`<li>${l.user.name}: ${l.leaveType.name}, ${dates(l.startsOn, l.endsOn)}${
          l.state === "pending" ? `, ${t.waits}` : ""
        }</li>`,
    )}</ul>
    <p><a href="/app/inbox">${texts().screens.inbox}</a></p>`;
}
