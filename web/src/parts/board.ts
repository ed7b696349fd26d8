import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.js";
import { workTexts } from "./work-texts.js";

/** A column of a board: the cards of one status. */
export interface Lane<Card> {
  readonly status: string;
  readonly label: string;
  readonly cards: readonly Card[];
  /** How many there are, of which cards may be the first. */
  readonly total: number;
}

/** What a board shows. Cards have an id, a name, and statuses that they may be moved to. */
export interface Board<Card> {
  readonly label: string;
  readonly lanes: readonly Lane<Card>[];
  readonly id: (card: Card) => string;
  readonly name: (card: Card) => string;
  /** The address that opens it. */
  readonly link: (card: Card) => string;
  readonly content: (card: Card) => TemplateResult;
  /** The statuses that a card may have next, its own among them; [] where it stays. */
  readonly next: (card: Card) => readonly string[];
  readonly move: (card: Card, status: string) => void;
}

/** Names what is dragged: a card's id. */
const dragged = "text/x-wf-card";

/** Cards in columns by status. A card is moved by a choice on it, or by dragging it. */
export function board<Card>(b: Board<Card>): TemplateResult {
  const label = workTexts().boardOf(b.label);
  return html`<div class="board" role="region" aria-label=${label} tabindex="0">${b.lanes.map((lane) => column(b, lane))}</div>`;
}

function column<Card>(b: Board<Card>, lane: Lane<Card>): TemplateResult {
  const drop = (event: DragEvent): void => {
    const id = event.dataTransfer?.getData(dragged) ?? "";
    const card = b.lanes.flatMap((l) => l.cards).find((c) => b.id(c) === id);
    if (!card) return;
    event.preventDefault();
    if (!lane.cards.includes(card) && b.next(card).includes(lane.status)) b.move(card, lane.status);
  };
  return html`<section class="lane ${lane.status}" @dragover=${over} @drop=${drop}>
    <h2><span class="status ${lane.status}">${lane.label}</span> <span class="number">${lane.total}</span></h2>
    <ul aria-label=${lane.label}>${lane.cards.map((card) => cardOf(b, lane.status, card))}</ul>
    ${lane.cards.length < lane.total ? html`<p class="hint">${texts().table.shown(lane.cards.length, lane.total)}</p>` : nothing}
  </section>`;
}

function over(event: DragEvent): void {
  if (event.dataTransfer?.types.includes(dragged)) event.preventDefault();
}

function cardOf<Card>(b: Board<Card>, status: string, card: Card): TemplateResult {
  const name = b.name(card);
  const next = b.next(card);
  const labels = new Map(b.lanes.map((l) => [l.status, l.label]));
  const start = (event: DragEvent): void => event.dataTransfer?.setData(dragged, b.id(card));
  const choose = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    const chosen = select.value;
    select.value = status; // it moves once that is done
    b.move(card, chosen);
  };
  return html`<li aria-label=${name} draggable=${next.length > 1 ? "true" : nothing} @dragstart=${start}>
    <a href=${b.link(card)} draggable="false">${name}</a>
    ${b.content(card)}
    ${
      next.length < 2
        ? nothing
        : html`<select class="small" aria-label=${workTexts().statusOf(name)} @change=${choose}>${next.map(
            (s) => html`<option value=${s} .selected=${s === status}>${labels.get(s) ?? s}</option>`,
          )}</select>`
    }</li>`;
}
