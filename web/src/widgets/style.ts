import { css } from "lit";

/** What all widgets look like. Pages choose the custom properties that begin with --workforce-. */
export const style = css`
  :host {
    display: block;
    min-width: 0;
    color-scheme: light dark;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  .widget {
    all: initial; /* nothing of the page is inherited but what it may choose */
    display: block;
    box-sizing: border-box;
    color-scheme: inherit;
    visibility: inherit;
    --ground: var(--workforce-ground, light-dark(#ffffff, #14171a));
    --raised: var(--workforce-raised, light-dark(#f4f5f7, #1e2226));
    --ink: var(--workforce-ink, light-dark(#1b1f23, #e8eaed));
    --faint: var(--workforce-faint, light-dark(#57606a, #a3abb5));
    --line: var(--workforce-line, light-dark(#d0d5db, #3a4149));
    --accent: var(--workforce-accent, light-dark(#0b5cad, #7fb8f5));
    --bad: var(--workforce-bad, light-dark(#b3261e, #ff9d94));
    --space: var(--workforce-space, 8px);
    font: var(--workforce-font, 15px / 1.5 system-ui, sans-serif);
    color: var(--ink);
    background: var(--ground);
    border: var(--workforce-border, 1px solid var(--line));
    border-radius: var(--workforce-radius, 6px);
    padding: calc(2 * var(--space));
    overflow-wrap: anywhere;
  }
  *,
  ::before {
    box-sizing: border-box;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    column-gap: var(--space);
    margin-block-end: var(--space);
  }
  .title {
    font-weight: 600;
  }
  p,
  ul,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  .faint,
  dt,
  thead {
    color: var(--faint);
  }
  small,
  dt,
  .meta,
  thead {
    font-size: 0.875em;
  }
  .bad {
    color: var(--bad);
  }
  .strong {
    font-weight: 600;
  }
  .alert:not(:empty) {
    border-inline-start: 4px solid var(--bad);
    background: var(--raised);
    padding: var(--space);
    margin-block-end: var(--space);
  }
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space);
    margin-block-end: var(--space);
  }
  dl > div {
    flex: 1 1 max(64px, calc((400px - 100%) * 999)); /* in one row, or two a row below 400 px */
    max-width: calc((100% - var(--space)) / 2);
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
    background: var(--raised);
    border-radius: var(--workforce-radius, 6px);
    padding: var(--space);
  }
  dd {
    font-size: 1.375em;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  li,
  tbody tr,
  tfoot tr {
    border-block-start: 1px solid var(--line);
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font: inherit;
    color: inherit;
    overflow-wrap: break-word; /* columns are as wide as words */
  }
  caption {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  th,
  td {
    text-align: start;
    font-weight: inherit;
    padding: calc(var(--space) / 2) 0;
    padding-inline-end: var(--space);
    vertical-align: baseline;
  }
  :is(th, td):last-child {
    padding-inline-end: 0;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  tfoot {
    font-weight: 600;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    column-gap: calc(1.5 * var(--space));
    color: var(--faint);
  }
  button {
    font: inherit;
    color: inherit;
    text-align: inherit;
    cursor: pointer;
    background: none;
    border: 0;
    border-radius: 4px;
    padding: 0;
    min-height: 28px;
  }
  li {
    padding-block: calc(var(--space) / 2);
  }
  li > button {
    display: block;
    width: 100%;
  }
  li > button > span {
    display: flex;
  }
  button:hover .name,
  td > button:hover,
  th > button:hover {
    text-decoration: underline;
  }
  .retry {
    color: var(--accent);
    text-decoration: underline;
  }
  button:focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .running::before {
    content: "";
    display: inline-block;
    width: 0.5em;
    height: 0.5em;
    margin-inline-end: 0.375em;
    border-radius: 50%;
    background: currentcolor;
  }
`;
