import { html, nothing, type TemplateResult } from "lit";
import type { ConcernedFragment } from "../../parts/concerned.graphql.js";
import { concerned } from "../../parts/concerned.js";
import { table } from "../../parts/table.js";
import { dateOf } from "../../parts/time.js";
import type { CopyWeekMutation } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import type { Person } from "./week.js";

type Skipped = CopyWeekMutation["copyWeek"]["skipped"][number];

/** What became of something that was done in the roster. */
export interface Outcome {
  readonly text: string;
  readonly leaves?: readonly ConcernedFragment[];
  /** Those who stay as they are, by id, and the code why. */
  readonly refused?: readonly { readonly userId: string; readonly code?: string | null }[];
  readonly skipped?: readonly Skipped[];
  /** A date of the week that was changed, where another one is shown. */
  readonly week?: string;
}

/** Tells the roster what was done: `wf-done`, with an Outcome. */
export function tell(from: Element, outcome: Outcome): void {
  from.dispatchEvent(new CustomEvent<Outcome>("wf-done", { detail: outcome, bubbles: true }));
}

/** What became of it, in words; people are those whose names are known. */
export function told(
  outcome: Outcome | undefined,
  people: readonly Person[],
  show: (week: string) => void,
): TemplateResult {
  const t = rosterTexts();
  const name = (id: string): string => people.find((p) => p.userId === id)?.name ?? id;
  const { text = "", leaves = [], refused = [], skipped = [], week = "" } = outcome ?? {};
  return html`<div role="status" class="outcome">${
    text === ""
      ? nothing
      : html`<p>${text}
        ${week === "" ? nothing : html`<button type="button" class="link" @click=${() => show(week)}>${t.showWeek}</button>`}</p>`
  }
      ${
        refused.length === 0
          ? nothing
          : html`<p>${t.refused(refused.length)}:</p>
            <ul aria-label=${t.refused(refused.length)}>${refused.map(
              (r) => html`<li>${name(r.userId)}: ${t.why[r.code ?? ""] ?? r.code}</li>`,
            )}</ul>`
      }
      ${skipped.length === 0 ? nothing : html`<p>${t.skipped(skipped.length)}.</p>`}</div>
    ${skipped.length === 0 ? nothing : skippedDays(skipped, name)}
    ${concerned(leaves)}`;
}

function skippedDays(skipped: readonly Skipped[], name: (id: string) => string): TemplateResult {
  const t = rosterTexts();
  return html`<div class="within">${table(
    t.skipped(skipped.length),
    [
      { name: "who", label: t.person, text: (s: Skipped) => name(s.userId) },
      { name: "date", label: t.skippedDay, text: (s) => dateOf(s.date), order: (s) => s.date },
      { name: "why", label: t.reason, text: (s) => t.reasons[s.reason] },
    ],
    skipped,
  )}</div>`;
}
