import { type Language, spoken } from "./texts.js";

/** The element around one, out of shadow trees too. */
function around(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
}

/** The language of the nearest element that has one. */
export function nearestLanguage(element: Element): Language {
  for (let e: Element | null = element; e; e = around(e)) {
    const lang = e.getAttribute("lang");
    if (lang) return spoken(lang);
  }
  return "en";
}

const watching = new Set<() => void>();
let observer: MutationObserver | undefined;

/** Calls changed whenever an element of the page gets another language, until what is returned is called. */
export function watchLanguage(changed: () => void): () => void {
  watching.add(changed);
  if (!observer) {
    observer = new MutationObserver(() => {
      for (const one of watching) one();
    });
    observer.observe(document, { attributes: true, subtree: true, attributeFilter: ["lang"] });
  }
  return () => {
    watching.delete(changed);
    if (watching.size > 0) return;
    observer?.disconnect();
    observer = undefined;
  };
}

/** The level of the heading of a widget: one below the heading before it in the page. */
export function headingLevel(element: Element): number {
  let level = 1;
  for (const heading of (element.getRootNode() as ParentNode).querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!(heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    level = Number(heading.localName[1]);
  }
  return Math.min(6, level + 1);
}
