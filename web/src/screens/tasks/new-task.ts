import type { TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { leave } from "../../parts/back.js";
import { dialog } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { may, query } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { taskFields } from "./fields.js";
import { SaveTask, type TaskChoicesQuery } from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";
import { inputOf } from "./work.js";

/** The dialog in which a task is added. `wf-added` tells its id and title. */
@customElement("wf-new-task")
export class NewTask extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) choices: TaskChoicesQuery | undefined;
  readonly #form = new Form(this, "new task", async (values, key) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const input = { ...inputOf(given, this.start.company.timezone), title: (values.title ?? "").trim() };
    const { saveTask } = await ask(SaveTask, { input }, { key });
    this.dispatchEvent(new CustomEvent("wf-added", { detail: saveTask }));
    return tasksTexts().added;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#form.begin({ priority: "normal" });
  }

  protected override render(): TemplateResult {
    const offer = {
      zone: this.start.company.timezone,
      choices: this.choices,
      assigns: may(this.start, ["task.write.team", "task.write.all"]),
    };
    const t = texts();
    const content = this.#form.render(() => taskFields(this.#form, offer), t.form.save, t.dialog.cancel);
    return dialog(tasksTexts().newTask, content, () => query().get("task") === "new" && leave({ task: "" }));
  }
}
