import { html, nothing, type TemplateResult } from "lit";
import { Fault } from "../../api/fault.js";
import type { Form } from "../../parts/form.js";
import { people } from "../../parts/people.js";
import type { Option, Pick } from "../../parts/pick.js";
import "../../parts/pick.js";
import { dateAndTime } from "../../parts/time.js";
import { workTexts } from "../../parts/work-texts.js";
import { texts } from "../../texts/texts.js";
import type { TaskChoicesQuery } from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";
import {
  categoryOptions,
  nextOf,
  peopleOf,
  peopleText,
  priorities,
  type RuleName,
  ruleName,
  rules,
  type Task,
} from "./work.js";

/** What the fields of a task offer. */
export interface Offer {
  readonly zone: string;
  readonly choices: TaskChoicesQuery | undefined;
  /** Whether who looks gives tasks to others. */
  readonly assigns: boolean;
  /** The task as it is; undefined for a new one. */
  readonly task?: Task;
}

/** The fields of a task, the title first. */
export function taskFields(form: Form, offer: Offer): TemplateResult {
  const t = tasksTexts();
  const { task } = offer;
  return html`${form.text("title", t.title, { required: true, most: 200 })}
    ${offer.assigns ? assignees(form, offer) : nothing}
    <div class="fields">
      ${time(form, "dueAt", t.dueAt, offer.zone)}
      ${task ? status(form, task) : nothing}
      ${priority(form)}
    </div>
    ${form.area("description", t.description, { most: 5000 })}
    <div class="fields">
      ${form.choice("projectId", t.project, withPresent(projects(offer), task?.project))}
      ${form.choice("categoryId", workTexts().category, withPresent(categories(offer), task?.category))}
      ${time(form, "startAt", t.startAt, offer.zone)}
    </div>
    ${more(form, task)}`;
}

function assignees(form: Form, offer: Offer): TemplateResult {
  const t = tasksTexts();
  const chosen = peopleOf(form.value("people"));
  const known = new Map([...(offer.task?.assignees ?? []), ...chosen].map((p) => [p.id, p.name]));
  const shows = (value: unknown): string =>
    Array.isArray(value) ? value.map((id) => known.get(String(id)) ?? String(id)).join(", ") : String(value);
  const picked = (event: Event): void => form.set("people", peopleText((event.target as Pick).chosen));
  const wrong = form.error instanceof Fault && form.error.of("assigneeIds") !== "";
  return form.around(
    "assigneeIds",
    t.assignTo,
    html`<wf-pick .field=${form.id("assigneeIds")} .label=${t.assignTo} several .wrong=${wrong}
      .chosen=${chosen as readonly Option[]} .find=${people} @wf-picked=${picked}></wf-pick>`,
    { shows, ...(offer.task === undefined && { hint: t.assigneesHint }) },
  );
}

function status(form: Form, task: Task): TemplateResult {
  return form.choice(
    "status",
    workTexts().status,
    nextOf(task.status).map((s) => [s, tasksTexts().statuses[s]] as const),
  );
}

function priority(form: Form): TemplateResult {
  const w = workTexts();
  return form.choice(
    "priority",
    w.priority,
    priorities.map((p) => [p, w.priorities[p]] as const),
  );
}

function time(form: Form, name: string, label: string, zone: string): TemplateResult {
  const foreign = Intl.DateTimeFormat().resolvedOptions().timeZone !== zone;
  return form.text(name, label, {
    type: "datetime-local",
    shows: (value) => dateAndTime(String(value), zone),
    ...(foreign && { hint: texts().time.zone(zone) }),
  });
}

function projects(offer: Offer): (readonly [string, string])[] {
  return (offer.choices?.projectList ?? []).map((p) => [p.id, p.name] as const);
}

function categories(offer: Offer): (readonly [string, string])[] {
  return categoryOptions(offer.choices?.taskCategoryList ?? []);
}

/** Options with none before them, and what is chosen now where it is not among them. */
function withPresent(
  options: readonly (readonly [string, string])[],
  present: { readonly id: string; readonly name: string } | null | undefined,
): (readonly [string, string])[] {
  const missing = present && !options.some(([id]) => id === present.id);
  return [["", workTexts().none], ...(missing ? [[present.id, present.name] as const] : []), ...options];
}

/** The forms whose rarer fields were shown: they stay so, also when they are emptied. */
const unfolded = new WeakSet<Form>();

/** What few tasks have: how they repeat, and where the work is. */
function more(form: Form, task: Task | undefined): TemplateResult {
  const t = tasksTexts();
  if (["recurrence", "latitude", "longitude"].some((name) => form.value(name) !== "")) unfolded.add(form);
  return html`<details ?open=${unfolded.has(form)}><summary>${t.more}</summary>
    ${task?.copiedOn ? nothing : recurrence(form)}
    <div class="fields">
      ${form.text("latitude", t.latitude, { inputmode: "decimal", hint: t.place })}
      ${form.text("longitude", t.longitude, { inputmode: "decimal", hint: t.place })}
    </div></details>`;
}

function recurrence(form: Form): TemplateResult {
  const t = tasksTexts();
  const name = ruleName(form.value("recurrence").trim());
  const all = [...Object.keys(rules), ...(name === "own" ? ["own"] : [])] as RuleName[];
  const chosen = (event: Event): void => {
    const value = (event.target as HTMLSelectElement).value as RuleName;
    if (value !== "own") form.set("recurrence", rules[value]);
  };
  return html`<div class="fields">
    <div class="field"><label for=${form.id("repeats")}>${t.repeats}</label>
      <select id=${form.id("repeats")} @change=${chosen}>${all.map((r) => html`<option value=${r} .selected=${r === name}>${t.rules[r]}</option>`)}</select></div>
    ${form.text("recurrence", t.rule, { hint: t.ruleHint, most: 500 })}
  </div>`;
}
