import type { Texts } from "../texts/en.js";

type Theme = "system" | "light" | "dark";

const kept = "wf-theme";

/** The theme that was chosen in this browser. */
export function theme(): Theme {
  const chosen = localStorage.getItem(kept);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function themes(names: Texts["shell"]["themes"]): Record<string, string> {
  return { ...names };
}

export function chooseTheme(next: string): void {
  localStorage.setItem(kept, next);
  applyTheme();
}

/** Puts the theme on the page, where the stylesheet finds it. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
}
