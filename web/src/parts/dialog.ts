import { html, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { texts } from "../texts/texts.js";

/**
 * A dialog that is open as long as it is rendered, named by its heading. Escape and its buttons close
 * it; the focus then returns to where it was, and closed is called.
 */
export function dialog(heading: string, content: TemplateResult, closed: (event: Event) => void): TemplateResult {
  const id = `dialog-${heading.replace(/\W+/g, "-")}`; // one may be open over another
  return html`<dialog aria-labelledby=${id} ${ref(open)} @close=${closed}>
    <h2 id=${id}>${heading}</h2>
    ${content}
  </dialog>`;
}

/**
 * Asks before something is done that changes much or cannot be undone. answered is called once, with
 * whether the answer was the verb; Escape is no.
 */
export function question(
  heading: string,
  content: TemplateResult,
  verb: string,
  answered: (yes: boolean) => void,
): TemplateResult {
  const yes = (event: Event): void => (event.currentTarget as Element).closest("dialog")?.close("yes");
  return dialog(
    heading,
    html`${content}<div class="actions">
      <button type="button" class="primary" @click=${yes}>${verb}</button>${closing(texts().dialog.cancel)}</div>`,
    (event) => answered((event.currentTarget as HTMLDialogElement).returnValue === "yes"),
  );
}

/** The button that leaves a dialog. */
export function closing(label: string = texts().dialog.close): TemplateResult {
  return html`<button type="button" @click=${closeDialog}>${label}</button>`;
}

/** Closes the dialog that an event comes from. */
export function closeDialog(event: Event): void {
  (event.currentTarget as Element).closest("dialog")?.close();
}

function open(element: Element | undefined): void {
  // It is not in the page yet.
  queueMicrotask(() => {
    if (element instanceof HTMLDialogElement && element.isConnected && !element.open) element.showModal();
  });
}
