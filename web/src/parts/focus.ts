/** Gives the focus to an element where what had it is gone or can do nothing now. */
export function regain(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body || activeElement.matches(":disabled")) element?.focus();
}
