import { en, type Texts } from "./en.js";
import { id } from "./id.js";

export type Language = "en" | "id";

const all: Record<Language, Texts> = { en, id };

/** Where the language of the page is kept in this browser, until the person's own is known. */
const kept = "wf-language";
/** Where that is kept which was chosen while nobody was signed in. */
const keptHere = "wf-language-here";

// A service worker has no such storage.
let current: Language = spoken(globalThis.localStorage?.getItem(kept) ?? navigator.language);

function spoken(tag: string): Language {
  return tag === "id" || tag.startsWith("id-") ? "id" : "en";
}

/** The language of this browser, whoever was signed in last. */
export function languageHere(): Language {
  return spoken(localStorage.getItem(keptHere) ?? navigator.language);
}

/** Chooses the language of the page and of this browser. */
export function setLanguageHere(next: Language): void {
  localStorage.setItem(keptHere, next);
  setLanguage(next);
}

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(all, text);
}

/** The language of the page. */
export function language(): Language {
  return current;
}

/** The texts of the page's language. */
export function texts(): Texts {
  return all[current];
}

/** Chooses the language of the page. Elements that show texts render anew at "wf-language". */
export function setLanguage(next: Language): void {
  current = next;
  localStorage.setItem(kept, next);
  document.documentElement.lang = next;
  dispatchEvent(new Event(kept));
}

/** Texts of one screen, in each language: what gives those of the page's. */
export function catalogue<T>(of: Record<Language, T>): () => T {
  return () => of[current];
}
