// A site with pages that embed widgets, under a strict policy, and the API that the widgets ask, each at an
// origin of its own; and what was asked.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const day = (date, status, workedSeconds) => ({ date, status, workedSeconds, closedSeconds: workedSeconds, taskSeconds: 0, lateSeconds: 0 });
const person = { id: "7", name: "Budi Santoso", image: "images/avatar.png" };
const evil = `<img src="https://evil.test/x.png" onerror="globalThis.evil = 1"> Ganti lampu`;

/** What the API answers; a test may change it. */
export const answers = {
  timesheet: {
    from: "2026-03-09", to: "2026-03-12", workedSeconds: 86_700, closedSeconds: 86_700, taskSeconds: 0,
    days: [day("2026-03-09", "present", 29_100), day("2026-03-10", "half_day", 57_600), day("2026-03-11", "on_leave", 0), day("2026-03-12", "needs_confirmation", 0)],
  },
  tasks: {
    open: 3, inProgress: 1, overdue: 1, doneToday: 12,
    items: [
      { id: "41", version: 1, title: evil, status: "in_progress", priority: "urgent", dueAt: "2026-03-09T09:00:00+07:00", running: true, assignees: [person], images: [] },
      { id: "42", version: 1, title: "Longgarkan-baut-penyangga-yang-sangat-panjang-sekali-tanpa-spasi", status: "open", priority: "low", dueAt: null, running: false, assignees: [person], images: [] },
    ],
  },
  ticket: {
    open: 2, inProgress: 0, resolvedToday: 5,
    items: [{ id: "51", number: 12, subject: "Wi-Fi lantai 3 mati", status: "open", priority: "high", resolveBy: "2099-03-10T09:00:00+09:00", resolvedAt: null, requester: person, assignee: null }],
  },
};
/** What the API says in place of an answer: status, code, and headers; by the name of the widget. */
export const refusals = {};
/** The requests GET that the API had, with the status of each answer. */
export const asked = [];

const exposed = "ETag, X-Req-Id, Retry-After, Content-Language";

function api(request, response) {
  const { pathname, search } = new URL(request.url, "http://x");
  const origin = request.headers.origin;
  if (request.method === "OPTIONS") {
    response.writeHead(204, { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Headers": "Authorization, If-None-Match, X-Language", "Access-Control-Allow-Methods": "GET" });
    response.end();
    return;
  }
  const kind = pathname.replace("/widget/", "");
  const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
  const answer = (status, headers, body) => {
    asked.push({ kind, search, token, status, language: request.headers["accept-language"], cookie: request.headers.cookie });
    response.writeHead(status, { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": exposed, "Cache-Control": "private, no-cache", "X-Req-Id": `r-${asked.length}`, ...headers });
    response.end(body && JSON.stringify(body));
  };
  const refusal = token.startsWith(`wfw_${kind}`) ? refusals[kind] : { status: 401, code: "UNAUTHENTICATED" };
  if (refusal) {
    const { status, code, headers } = refusal;
    answer(status, { "Content-Type": "application/problem+json", ...headers }, { code, status, detail: `It is ${code}.`, requestId: `r-${asked.length + 1}` });
    return;
  }
  const tag = `"${createHash("sha256").update(JSON.stringify(answers[kind])).digest("hex").slice(0, 8)}"`;
  if (request.headers["if-none-match"] === tag) answer(304, { ETag: tag });
  else answer(200, { ETag: tag, "Content-Type": "application/json" }, answers[kind]);
}

/** The modules of React as one script, since a page loads no CommonJS. */
function react() {
  const require = createRequire(import.meta.url);
  const from = (name, file) => readFileSync(`${dirname(require.resolve(`${name}/package.json`))}/cjs/${file}`, "utf8");
  const files = {
    react: from("react", "react.production.js"),
    scheduler: from("scheduler", "scheduler.production.js"),
    "react-dom": from("react-dom", "react-dom.production.js"),
    "react-dom/client": from("react-dom", "react-dom-client.production.js"),
  };
  const modules = Object.entries(files).map(([name, text]) => `${JSON.stringify(name)}(module, exports, require) {${text}\n}`);
  return `const process = { env: { NODE_ENV: "production" } }, made = {};
const modules = {${modules.join(",\n")}};
export function require(name) {
  if (!made[name]) { made[name] = { exports: {} }; modules[name](made[name], made[name].exports, require); }
  return made[name].exports;
}`;
}

const page = (server, style, body, scripts) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Intranet</title>
${style ? '<link rel="stylesheet" href="/site.css">' : ""}
${scripts.map((src) => `<script type="module" src="${src}"></script>`).join("")}</head>
<body><main><h1>Intranet</h1>${body}</main></body></html>`;

const files = {
  // Hostile to elements of a page that look like those of a widget.
  "/site.css": `body { margin: 0; } * { letter-spacing: 9px; text-transform: uppercase; color: rgb(180, 0, 0); }
    .widget, .title, .meta, .retry, header, table, tbody, tr, td, li, ul, dl, dd, li > button, [role="group"] { display: none !important; }
    p.title { display: block !important; font-weight: 300; }`,
  // Tokens by the callback, before the elements are defined.
  "/site.js": `let nth = 0;
    globalThis.given = []; globalThis.heard = []; globalThis.lives = 600_000;
    globalThis.tokenProvider = async ({ widget }) => {
      given.push(widget);
      return { token: "wfw_" + widget + "_" + ++nth, expiresAt: new Date(Date.now() + lives).toISOString() };
    };
    for (const name of ["workforce-error", "workforce-select"])
      document.addEventListener(name, (e) => heard.push({ name, from: e.target.localName, composed: e.composed, ...e.detail }));
    for (const e of document.querySelectorAll("main > *")) if (e.localName.startsWith("workforce-")) e.tokenProvider = tokenProvider;`,
  "/react.js": "",
  "/app.js": `import { require } from "/react.js";
    const { createElement: h, StrictMode, useState } = require("react");
    const { createRoot } = require("react-dom/client");
    globalThis.heard = []; globalThis.given = [];
    const tokenProvider = async ({ widget }) => { given.push(widget); return "wfw_" + widget + "_react"; };
    const connect = (e) => { if (e) e.tokenProvider = tokenProvider; };
    const how = customElements.get("workforce-tasks") ? { tokenProvider } : { ref: connect };
    function App() {
      const [limit, setLimit] = useState("5");
      const [shown, setShown] = useState(true);
      return h("div", null,
        h("button", { onClick: () => setLimit("1") }, "Fewer"), h("button", { onClick: () => setShown(!shown) }, "Show or hide"),
        shown && h("workforce-tasks", { ...how, endpoint: document.documentElement.dataset.endpoint, limit,
          "onworkforce-select": (e) => heard.push(e.detail) }),
        h("workforce-timesheet", { ...how, endpoint: document.documentElement.dataset.endpoint, "user-id": "7" }));
    }
    document.documentElement.dataset.endpoint = document.querySelector("#root").dataset.endpoint;
    createRoot(document.querySelector("#root")).render(h(StrictMode, null, h(App)));`,
};

const listen = (handler) =>
  new Promise((done) => {
    const server = createServer(handler).listen(0, "127.0.0.1", () => done({ server, origin: `http://127.0.0.1:${server.address().port}` }));
  });

/** Starts both; server is the origin that has /widgets.js. */
export async function start(server) {
  const backend = await listen(api);
  const endpoint = backend.origin;
  files["/react.js"] = react();
  const of = (name, attributes = "") => `<workforce-${name} endpoint="${endpoint}" ${attributes}></workforce-${name}>`;
  const several = `${of("tasks")}${of("tasks", `id="same"`)}${of("tasks", `limit="1"`)}${of("ticket", `token="wfw_attribute"`)}<h2>Time</h2>${of("timesheet", `from="2026-03-09" to="2026-03-12"`)}`;
  const widgets = `${server}/widgets.js`;
  const root = `<div id="root" data-endpoint="${endpoint}"></div>`;
  const pages = {
    "/plain": page(server, false, several, ["/site.js", widgets]),
    "/styled": page(server, true, `<p class="title">Ours</p>${several}`, ["/site.js", widgets]),
    "/react": page(server, false, root, ["/app.js", widgets]),
    "/react-after": page(server, false, root, [widgets, "/app.js"]),
  };
  let tokens;
  const site = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    if (pathname === "/workforce-token") {
      const made = await tokens({ widget: searchParams.get("widget"), origin: site.origin });
      response.writeHead(made ? 200 : 401, { "Content-Type": "application/json" });
      return response.end(JSON.stringify(made));
    }
    const text = pages[pathname] ?? files[pathname];
    if (text === undefined) return response.writeHead(404).end();
    const type = pathname.endsWith(".js") ? "text/javascript" : pathname.endsWith(".css") ? "text/css" : "text/html";
    const styles = pathname === "/styled" ? "'self'" : "'none'";
    response.writeHead(200, {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": `default-src 'none'; script-src 'self' ${server}; connect-src 'self' ${endpoint} ${server}; style-src ${styles}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html`,
    });
    return response.end(text);
  });
  /** Adds the page /real, whose widgets ask the server itself with the tokens that make gives. */
  const real = (at, make) => {
    pages["/real"] = page(server, false, ["tasks", "ticket", "timesheet"].map((name) => of(name).replace(endpoint, at)).join(""), ["/real.js", widgets]);
    files["/real.js"] = `for (const e of document.querySelectorAll("main > *")) if (e.localName.startsWith("workforce-"))
      e.tokenProvider = async ({ widget }) => {
        const answer = await fetch("/workforce-token?widget=" + widget);
        if (!answer.ok) throw new Error("no token");
        return answer.json();
      };`;
    tokens = make;
  };
  return { endpoint, origin: site.origin, real, stop: () => [site, backend].map((s) => s.server.close()) };
}
