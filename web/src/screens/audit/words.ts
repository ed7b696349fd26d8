import { auditTexts } from "./texts.js";

/** What was done, in words: those of the action, else the entity with what became of it, else the action itself. */
export function worded(action: string, entity: string): string {
  const t = auditTexts();
  const own = t.actions[action];
  if (own !== undefined) return own;
  const verb = t.verbs[action.slice(action.lastIndexOf(".") + 1)];
  return verb === undefined ? action : t.done(t.entities[entity] ?? entity, verb);
}
