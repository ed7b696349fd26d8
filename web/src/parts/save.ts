/** Saves a text as a file; a table's cells are text for spreadsheets too. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  saveLink(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves what an address has as a file, under the name that the server gives without one. */
export function saveLink(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** The address of a file that the API gives: a link, or a path of the server. */
export function fileAddress(link: string): string {
  return new URL(link, `${location.origin}/`).href;
}
