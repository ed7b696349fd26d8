import type { Screen } from "../router.js";

/** The screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { name: "today", needs: "attendance.read", load: async () => (await import("./today.js")).show },
  // Who approves nothing is asked there to swap a shift.
  { name: "inbox", needs: "shift.read", load: async () => (await import("./inbox.js")).show },
  { name: "roster", needs: "shift.read", load: async () => (await import("./roster/roster.js")).show },
  { name: "timesheets", needs: "attendance.read", load: async () => (await import("./timesheets/timesheets.js")).show },
  { name: "tasks", needs: "task.read", load: async () => (await import("./tasks/tasks.js")).show },
  { name: "tickets", needs: "ticket.read", load: async () => (await import("./tickets/tickets.js")).show },
  { name: "reports", needs: "report.read", load: async () => (await import("./reports/reports.js")).show },
  { name: "people", needs: "user.read", load: async () => (await import("./people/people.js")).show },
  {
    name: "organization",
    needs: "organization.read",
    load: async () => (await import("./organization/organization.js")).show,
  },
  { name: "shifts", needs: "shift.write", load: async () => (await import("./shifts/shifts.js")).show },
  { name: "settings", needs: "company.write", load: async () => (await import("./settings/settings.js")).show },
  { name: "roles", needs: "role.read", load: async () => (await import("./roles/roles.js")).show },
  { name: "keys", needs: "developer.read.all", load: async () => (await import("./keys/keys.js")).show },
  { name: "audit", needs: "audit.read", load: async () => (await import("./audit/audit.js")).show },
  {
    name: "messages",
    needs: ["message.read.team", "message.read.all"],
    load: async () => (await import("./messages/messages.js")).show,
  },
  { name: "me", needs: "", load: async () => (await import("./me/me.js")).show },
  { name: "start", needs: "user.write.all", load: async () => (await import("./start/start.js")).show },
];
