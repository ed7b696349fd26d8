// The module of the widgets, which pages of other sites load from /widgets.js.
import { TasksWidget } from "./tasks.js";
import { TicketWidget } from "./ticket.js";
import { TimesheetWidget } from "./timesheet.js";

const elements = {
  "workforce-timesheet": TimesheetWidget,
  "workforce-tasks": TasksWidget,
  "workforce-ticket": TicketWidget,
};

for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element as unknown as CustomElementConstructor);
}
