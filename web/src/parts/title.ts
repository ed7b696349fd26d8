import { texts } from "../texts/texts.js";

const now = { screen: "", page: "" };

/** Names the screen, or the page of it that is shown, in the title of the document; "" is no page of its own. */
export function title(change: { readonly screen?: string; readonly page?: string }): void {
  Object.assign(now, change);
  document.title = [now.screen, now.page, texts().app].filter((name) => name !== "").join(" · ");
}
