import type { TemplateResult } from "lit";
import type { StartQuery } from "./shell.graphql.js";
import type { Texts } from "./texts/en.js";

/** A screen: its address below /app/, and what shows it. */
export interface Screen {
  readonly name: keyof Texts["screens"];
  /** What one must be permitted to see it, in any scope, such as attendance.read; nothing for "", one of several. */
  readonly needs: string | readonly string[];
  readonly load: () => Promise<(start: StartQuery) => TemplateResult>;
}

/**
 * Whether who is signed in is permitted something: in a scope, such as attendance.read.team, or in any,
 * such as attendance.read; "" is nothing.
 */
export function may(start: StartQuery, what: string | readonly string[]): boolean {
  if (typeof what !== "string") return what.some((w) => may(start, w));
  return what === "" || start.tokenInfo.permissions.some((p) => p === what || p.startsWith(`${what}.`));
}

/** Whether who is signed in is permitted something about others, such as attendance.read. */
export function mayOthers(start: StartQuery, what: string): boolean {
  return may(start, `${what}.team`) || may(start, `${what}.all`);
}

const base = "/app/";

/** The part of the address that names the screen. */
export function place(): string {
  return location.pathname.startsWith(base) ? (location.pathname.slice(base.length).split("/")[0] ?? "") : "";
}

/** The part of the address below the screen, such as days of /app/me/days; "" for none. */
export function subplace(): string {
  return location.pathname.startsWith(base) ? location.pathname.slice(base.length).split("/").slice(1).join("/") : "";
}

/** Where who is signed in begins: those who see a team with Today, others with what is their own. */
export function home(start: StartQuery): string {
  return mayOthers(start, "attendance.read") ? "/app/today" : "/app/me";
}

/** Goes to an address of the app. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new Event("wf-place"));
}

/** What the address says besides the screen: filters, sorting, page and selection. */
export function query(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/** Changes what the address says; "" takes a member out. Back undoes what is pushed, and leads past what is not. */
export function setQuery(change: Readonly<Record<string, string>>, options: { push?: boolean } = {}): void {
  const next = query();
  for (const [name, value] of Object.entries(change)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(location.pathname + (text && `?${text}`), { replace: !options.push });
}

/** Has links of the app lead to its screens without loading the page anew. */
export function followLinks(): void {
  addEventListener("popstate", () => dispatchEvent(new Event("wf-place")));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    if (
      link.target !== "" ||
      link.origin !== location.origin ||
      !link.pathname.startsWith(base) ||
      link.hasAttribute("download")
    )
      return;
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
