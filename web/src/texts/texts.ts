import { en, type Texts } from "./en.js";
import { id } from "./id.js";

export type Language = "en" | "id";

const all: Record<Language, Texts> = { en, id };

/** Where the choice is kept in this browser, until the person's own is known. */
const kept = "wf-language";

let current: Language = chosen();

function chosen(): Language {
  const asked = localStorage.getItem(kept) ?? navigator.language;
  return asked === "id" || asked.startsWith("id-") ? "id" : "en";
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
