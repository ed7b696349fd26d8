import { draft, keepDraft } from "./draft.js";
import type { Form, Values } from "./form.js";

/**
 * Begins a form with what is there now. Once something was entered, it stays with what was there then,
 * also after a reload: its version tells the server which one the changes are of.
 */
export function beginOrKeep(form: Form, name: string, now: Values): void {
  const kept = `basis ${name}`;
  if (!form.dirty) {
    keepDraft(kept, "");
    form.begin(now);
    return;
  }
  if (draft(kept) === "") keepDraft(kept, JSON.stringify(now));
  form.begin(JSON.parse(draft(kept)));
}
