import type { Need } from "./token.js";

const limits = { timesheet: "", tasks: ` limit="5"`, ticket: ` limit="5"` };

/** How a page without a framework has a widget. */
export function plain(kind: Need["widget"], server: string): string {
  return `<script type="module" src="${server}/widgets.js"></script>
<workforce-${kind} endpoint="${server}"${limits[kind]}></workforce-${kind}>
<script type="module">
  const widget = document.querySelector("workforce-${kind}");
  widget.tokenProvider = async () =>
    (await fetch("/workforce-token?widget=${kind}")).json();
  widget.addEventListener("workforce-select", (e) => console.log(e.detail));
</script>`;
}

/** How a page of React has one, of any version. */
export function react(kind: Need["widget"], server: string): string {
  const name = { timesheet: "Timesheet", tasks: "Tasks", ticket: "Ticket" }[kind];
  return `const tokenProvider = async () =>
  (await fetch("/workforce-token?widget=${kind}")).json();

const connect = (widget) => {
  if (widget) widget.tokenProvider = tokenProvider;
};

export const ${name} = () => (
  <workforce-${kind} ref={connect} endpoint="${server}"${limits[kind]} />
);`;
}
