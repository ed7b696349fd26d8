// The page /widgets: the three live, and the code to copy. It is made of plain elements, since a page may
// create the policy of Lit's templates once, and the widgets do.
import { ask } from "../api/client.js";
import { Fault } from "../api/fault.js";
import { session } from "../api/session.js";
import { applyTheme, chooseTheme, theme } from "../parts/theme.js";
import { language, setLanguageHere } from "../texts/texts.js";
import { texts } from "./page-texts.js";
import { plain, react } from "./samples.js";
import { CreateWidgetToken } from "./token.graphql.js";
import type { Need, TokenProvider } from "./token.js";

const kinds = ["timesheet", "tasks", "ticket"] as const;

/** What is known of who is signed in. */
type State = "loading" | "signedIn" | "signedOut" | "failed";
let state: State = "loading";

/** Tokens of who is signed in, for this page alone. */
const tokenProvider: TokenProvider = async ({ widget }: Need) => {
  const made = await ask(CreateWidgetToken, { input: { widget, origin: location.origin } });
  return made.createWidgetToken;
};

type Child = Node | string;

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function button(text: string, label: string, onclick: () => void): HTMLButtonElement {
  const made = make("button", { type: "button", ...(label && { "aria-label": label }) }, text);
  made.onclick = onclick;
  return made;
}

/** A choice that has a name. */
function choice(name: string, options: Record<string, string>, chosen: string, choose: (to: string) => void): Node {
  const select = make("select", {}, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
  select.onchange = () => choose(select.value);
  return make("label", {}, name, " ", select);
}

/** What was done last, for all to hear. */
const said = make("p", { role: "status", class: "said" });

async function copy(text: string): Promise<void> {
  const t = texts();
  const done = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  said.textContent = done ? t.copied : t.notCopied;
}

/** A piece of code with the button that copies it. */
function code(what: string, name: string, text: string): Node {
  const t = texts();
  const head = make(
    "div",
    { class: "row" },
    make("h3", {}, what),
    button(t.copy, t.copyNamed(what, name), () => void copy(text)),
  );
  return make("div", { class: "sample" }, head, make("pre", {}, make("code", {}, text)));
}

/** The live elements, which stay when the language changes. */
const live = new Map(
  kinds.map((kind) => {
    const element = Object.assign(document.createElement(`workforce-${kind}`), { tokenProvider });
    if (kind !== "timesheet") element.setAttribute("limit", "5");
    return [kind, element];
  }),
);

function section(kind: (typeof kinds)[number]): Node {
  const t = texts();
  const name = t.names[kind];
  const of = make("section", { "aria-label": name }, make("h2", {}, name));
  const element = live.get(kind);
  if (state === "signedIn" && element) of.append(element);
  of.append(code(t.plain, name, plain(kind, location.origin)), code(t.react, name, react(kind, location.origin)));
  return of;
}

/** Who is signed in, in words, and what to do where nobody is. */
function who(): Node {
  const t = texts();
  if (state === "signedIn") return make("p");
  if (state === "loading") return make("p", {}, t.loading);
  if (state === "failed")
    return make(
      "p",
      { role: "alert" },
      t.failed,
      " ",
      button(t.retry, "", () => void look()),
    );
  return make("p", { class: "note" }, t.signedOut, " ", make("a", { href: "/app/" }, t.signIn));
}

function render(): void {
  const t = texts();
  document.documentElement.lang = language();
  document.title = `${t.title} · Workforce`;
  for (const element of live.values()) element.setAttribute("theme", theme() === "system" ? "auto" : theme());
  const languages = choice(t.language, { en: "English", id: "Indonesia" }, language(), (to) => {
    setLanguageHere(to === "id" ? "id" : "en");
    render();
    document.querySelector("select")?.focus();
  });
  const themes = choice(t.theme, t.themes, theme(), (to) => {
    chooseTheme(to);
    for (const element of live.values()) element.setAttribute("theme", to === "system" ? "auto" : to);
  });
  said.textContent = "";
  document.body.replaceChildren(
    make(
      "header",
      { class: "row" },
      make("span", { class: "name" }, "Workforce"),
      make("span", { class: "row" }, languages, themes),
    ),
    make(
      "main",
      {},
      make("h1", {}, t.title),
      make("p", {}, t.intro),
      who(),
      said,
      make("div", { class: "all" }, ...kinds.map(section)),
      make("section", { "aria-label": t.tokens }, make("h2", {}, t.tokens), make("p", {}, t.tokensHint)),
    ),
  );
}

function become(next: State): void {
  if (next === state) return;
  state = next;
  render();
}

/** Finds out who is signed in. */
async function look(): Promise<void> {
  become("loading");
  try {
    await session.token();
    become("signedIn");
  } catch (error) {
    const out = error instanceof Fault && ["UNAUTHENTICATED", "FORBIDDEN"].includes(error.code);
    become(out ? "signedOut" : "failed");
  }
}

applyTheme();
render();
addEventListener("workforce-select", (event) => {
  said.textContent = texts().chosen((event as CustomEvent<{ id: string }>).detail.id);
});
session.onchange = (userId, before) => {
  if (userId !== undefined && before !== undefined)
    location.reload(); // nothing shown may be another person's
  else become(userId === undefined ? "signedOut" : "signedIn");
};
void look();
