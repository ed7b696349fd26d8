import type { TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../api/client.js";
import { factList, said } from "../parts/facts.js";
import { Part, Reading } from "../parts/part.js";
import { shown } from "../parts/states.js";
import { addDays, dates } from "../parts/time.js";
import { texts } from "../texts/texts.js";
import type { Item } from "./inbox-items.js";
import { LeaveContext as Document, type LeaveContextQuery } from "./leave-context.graphql.js";

/** How many days at most are asked for who is away, less one. */
const longest = 61;

/** What else decides about a leave: what is left of the allowance, and who else is away. Read once it is nearly in sight. */
@customElement("wf-leave-context")
export class LeaveContext extends Part {
  @property({ attribute: false }) leave: NonNullable<Item["leave"]> = {
    userId: "",
    typeId: "",
    from: "",
    to: "",
    days: 0,
  };
  #seen: () => void = () => {};
  readonly #sight = new IntersectionObserver(
    (entries) => {
      if (entries.some((e) => e.isIntersecting)) this.#seen();
    },
    { rootMargin: "1000px" },
  );
  private readonly read = new Reading(this, async (signal) => {
    await new Promise<void>((seen) => {
      this.#seen = seen;
    });
    this.#sight.disconnect();
    const { userId, from, to } = this.leave;
    const [last = to] = [to, addDays(from, longest)].sort();
    return await ask(Document, { user: userId, year: Number(from.slice(0, 4)), from, to: last }, { signal });
  });

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("leave") as Item["leave"];
    if (!this.hasUpdated || !before || JSON.stringify(before) === JSON.stringify(this.leave)) return;
    this.read.value = undefined; // it is about another leave now
    void this.read.again();
    this.#sight.observe(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    this.#sight.disconnect();
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    return shown(this.read, (read) => this.facts(read));
  }

  private facts(read: LeaveContextQuery): TemplateResult {
    const t = texts().inbox;
    const balance = read.leaveBalances.find((b) => b.leaveType.id === this.leave.typeId);
    const away = read.away.map((a) => `${a.name} (${dates(a.from, a.to)})`);
    return factList(
      said([
        [t.balance, balance ? t.left(balance.remaining, balance.allowance) : ""],
        [t.away, away.length === 0 ? t.nobody : away.join(", ")],
      ]),
    );
  }
}
