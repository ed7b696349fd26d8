import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ref } from "lit/directives/ref.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Fault } from "../../api/fault.js";
import { Act } from "../../parts/act.js";
import { closing, question } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { nodes } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { dateAndTime } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { type Access, type Device, devicesOf, type Session, sessionsOf } from "./access.js";
import type { StructureQuery } from "./people.graphql.js";
import {
  ChangePerson,
  Deactivate,
  Person as Document,
  EndSession,
  EndSessions,
  Erase,
  InviteAgain,
  PersonDevices,
  PersonInvited,
  type PersonInvitedQuery,
  PersonLeave,
  type PersonLeaveQuery,
  type PersonQuery,
  PersonSessions,
  PersonSignedIn,
  TakeDevice,
} from "./person.graphql.js";
import { phone } from "./person-values.js";
import { peopleTexts } from "./texts.js";
import "./erase.js";

type User = PersonQuery["user"];
type Read = {
  readonly user: User;
  /** Null where who looks may not read them. */
  readonly access: Access | null;
  readonly leave: PersonLeaveQuery["leaveBalances"];
  readonly invitation:
    | ReturnType<
        typeof nodes<NonNullable<NonNullable<PersonInvitedQuery["messages"]["edges"]>[number]>["node"]>
      >[number]
    | null;
};
type Asked = "deactivate" | "lost" | "erase" | { readonly device: Device } | { readonly session: Session } | undefined;

/** What somebody who may not read a thing gets of it. */
async function unless<Value>(read: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Fault && ["NOT_FOUND", "FORBIDDEN"].includes(error.code)) return otherwise;
    throw error;
  }
}

/** A person, as a panel of the screen whose address names them. `wf-changed` tells what was done. */
@customElement("wf-person")
export class Person extends Part {
  @property() person = "";
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) trees: StructureQuery | undefined;
  @state() private asked: Asked;
  private readonly act = new Act(this);
  private readonly read = new Reading(this, (signal) => this.load(signal));
  readonly #place = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  private async load(signal: AbortSignal): Promise<Read> {
    const id = this.person;
    const own = id === this.start.viewer.id;
    const reads = (what: string): boolean => own || may(this.start, `${what}.team`) || may(this.start, `${what}.all`);
    const [{ user }, access, leave, invited] = await Promise.all([
      ask(Document, { id }, { signal }),
      reads("session.read") ? this.accessOf(id, reads("device.read"), signal) : null,
      reads("leave.read") ? unless(ask(PersonLeave, { id }, { signal }), { leaveBalances: [] }) : { leaveBalances: [] },
      reads("message.read") ? ask(PersonInvited, { id }, { signal }) : null,
    ]);
    return {
      user,
      access,
      leave: leave.leaveBalances,
      invitation: (invited && nodes(invited.messages)[0]) ?? null,
    };
  }

  /** What lets a person in: every session that goes on and, to whom may read them, every device that they trust. */
  private async accessOf(id: string, devices: boolean, signal: AbortSignal): Promise<Access> {
    const now = new Date(serverNow()).toISOString();
    const [{ sessions }, going, trusted] = await Promise.all([
      ask(PersonSignedIn, { id }, { signal }),
      everyPage(async (after) => (await ask(PersonSessions, { id, now, after }, { signal })).sessions),
      devices ? unless(ask(PersonDevices, { id }, { signal }), { trustedDevices: [] }) : { trustedDevices: [] },
    ]);
    return {
      known: sessions.totalCount > 0,
      devices: devicesOf(trusted.trustedDevices, id),
      sessions: sessionsOf(going),
    };
  }

  protected override render(): TemplateResult {
    const read = this.read.value;
    const edit = query().has("edit") && read && this.mayChange(read.user);
    return html`<dialog class="sheet" aria-labelledby="person-heading" ${ref(open)} @close=${this.#closed}>
        <div class="step"><h2 id="person-heading">${read?.user.name ?? peopleTexts().person}</h2>${closing()}</div>
        ${shown(this.read, (r) => this.content(r))}
      </dialog>
      ${edit ? html`<wf-person-form .start=${this.start} .trees=${this.trees} .user=${read.user} @wf-changed=${this.#again}></wf-person-form>` : nothing}
      ${read && this.asked ? this.question(read, this.asked) : nothing}`;
  }

  readonly #closed = (): void => setQuery({ person: "", edit: "" });

  /** Reads anew after a change, and has the list do so. */
  readonly #again = async (event?: Event): Promise<void> => {
    event?.stopPropagation();
    await this.read.again();
    this.dispatchEvent(new CustomEvent("wf-changed", { detail: "" }));
  };

  /** Whether who looks may change the person, as far as they are told. */
  private mayChange(user: User): boolean {
    const owner = user.roles.some((r) => r.builtin === "owner");
    return user.active != null && may(this.start, "user.write") && (!owner || may(this.start, "company.write"));
  }

  private content(read: Read): TemplateResult {
    const t = peopleTexts();
    const { user } = read;
    return html`${user.active === false ? html`<p class="warning">${t.inactive}</p>` : nothing}
      ${user.active == null ? html`<p class="hint">${t.limited}</p>` : nothing}
      ${this.mayChange(user) ? this.actions(read) : nothing}
      ${this.act.told()}
      ${factList(this.facts(read))}
      ${this.balances(read.leave)}
      ${read.access && user.active != null ? this.access(read.access, this.mayEnd(read)) : nothing}
      ${this.history(user)}`;
  }

  private facts({ user, access, invitation }: Read) {
    const t = peopleTexts();
    const told = (at: string): string => dateAndTime(at, this.start.company.timezone);
    return said([
      [t.email, user.email],
      [t.phone, phone(user.mobileNumber)],
      [t.business, user.business?.name],
      [t.designations, user.designations.map((d) => d.name).join(", ")],
      [t.roles, user.roles.map((r) => r.name).join(", ")],
      [t.manager, user.manager?.name],
      [t.number, user.employeeNumber],
      [t.joined, user.joinedOn],
      [t.left, user.leftOn],
      [t.gender, user.gender && t.genders[user.gender]],
      [t.language, t.languages[user.locale ?? ""]],
      [t.channel, user.active == null ? "" : t.channels[user.messageChannel ?? ""]],
      [t.sessions, access && !access.known ? t.neverSignedIn : ""],
      [
        t.lastInvitation,
        invitation &&
          [t.invitation[invitation.status](told(invitation.sentAt ?? invitation.createdAt)), invitation.error ?? ""]
            .filter((s) => s !== "")
            .join(": "),
      ],
    ]);
  }

  private actions({ user, access }: Read): TemplateResult {
    const t = peopleTexts();
    const { busy } = this.act;
    const own = user.id === this.start.viewer.id;
    return html`<div class="actions">
      <button type="button" @click=${() => setQuery({ edit: "1" })}>${t.change}</button>
      ${user.active && !access?.known ? html`<button type="button" class="primary" ?disabled=${busy} @click=${this.#invite}>${t.invite}</button>` : nothing}
      ${access && this.mayEnd({ user, access }) && access.devices.length + access.sessions.length > 0 ? html`<button type="button" @click=${() => this.#ask("lost")}>${t.lost}</button>` : nothing}
      ${own ? nothing : html`<button type="button" ?disabled=${busy} @click=${() => (user.active ? this.#ask("deactivate") : this.#reactivate())}>${user.active ? t.deactivate : t.reactivate}</button>`}
      ${own || !may(this.start, "user.write.all") ? nothing : html`<button type="button" @click=${() => this.#ask("erase")}>${t.erase}</button>`}
    </div>`;
  }

  /** Whether who looks may take devices and sessions of the person away. */
  private mayEnd({ user }: Pick<Read, "user" | "access">): boolean {
    const all = (what: string): boolean => may(this.start, `${what}.all`) || may(this.start, `${what}.team`);
    const owner = user.roles.some((r) => r.builtin === "owner");
    return all("session.write") && all("device.write") && (!owner || may(this.start, "company.write"));
  }

  private balances(list: PersonLeaveQuery["leaveBalances"]): TemplateResult | typeof nothing {
    if (list.length === 0) return nothing;
    const t = peopleTexts();
    const columns = [t.leaveType, t.allowance, t.used, t.pending, t.remaining];
    const numbers = (b: (typeof list)[number]) => [b.allowance, b.used, b.pending, b.remaining];
    return html`<h3>${t.leave}</h3><table role="table" aria-label=${t.leave}>
      <thead role="rowgroup"><tr role="row">${columns.map((c) => html`<th role="columnheader" scope="col">${c}</th>`)}</tr></thead>
      <tbody role="rowgroup">${list.map(
        (b) =>
          html`<tr role="row"><th role="rowheader" scope="row">${b.leaveType.name}</th>${numbers(b).map(
            (n, i) => html`<td role="cell"><span class="label" aria-hidden="true">${columns[i + 1]}</span>${n}</td>`,
          )}</tr>`,
      )}</tbody></table>`;
  }

  private access(access: Access, ends: boolean): TemplateResult {
    const t = peopleTexts();
    const told = (at: string): string => dateAndTime(at, this.start.company.timezone);
    return html`<h3>${t.devices}</h3>
      ${access.devices.length === 0 ? html`<p>${t.noDevices}</p>` : nothing}
      <ul class="items" aria-label=${t.devices}>${access.devices.map((d) => {
        const name = nameOf(d);
        return html`<li aria-label=${name}><div>${name} <span class="hint">${t.trusted(told(d.trustedAt))}</span></div>
          ${ends ? html`<button type="button" @click=${() => this.#ask({ device: d })}>${t.revoke}</button>` : nothing}</li>`;
      })}</ul>
      <h3>${t.sessions}</h3>
      ${access.sessions.length === 0 ? html`<p>${t.noSessions}</p>` : nothing}
      <ul class="items" aria-label=${t.sessions}>${access.sessions.map((s) => {
        const name = nameOf(s);
        return html`<li aria-label=${name}><div>${name} <span class="hint">${t.signedIn(told(s.createdAt))}${s.endsAt ? ` · ${t.ends(told(s.endsAt))}` : ""}</span></div>
          ${ends ? html`<button type="button" @click=${() => this.#end(s)}>${t.end}</button>` : nothing}</li>`;
      })}</ul>`;
  }

  private history(user: User): TemplateResult | typeof nothing {
    const t = peopleTexts();
    const periods = [...user.businessHistory, ...user.designationHistory];
    if (periods.length === 0) return nothing;
    return html`<details><summary>${t.history}</summary><ul>${periods.map(
      (p) => html`<li>${p.name} <span class="hint">${t.since(p.from ?? null, p.until ?? null)}</span></li>`,
    )}</ul></details>`;
  }

  readonly #ask = (asked: Asked): void => {
    this.act.clear();
    this.asked = asked;
  };

  private question(read: Read, asked: NonNullable<Asked>): TemplateResult {
    const t = peopleTexts();
    const { name } = read.user;
    const then = (what: () => void) => (yes: boolean) => {
      this.asked = undefined;
      if (yes) what();
    };
    if (asked === "erase") {
      return html`<wf-erase .name=${name} @wf-answered=${(e: CustomEvent<boolean>) => then(() => this.#erase())(e.detail)}></wf-erase>`;
    }
    if (asked === "deactivate") {
      return question(
        t.deactivateAsk(name),
        html`<p>${t.deactivateHint}</p>`,
        t.deactivate,
        then(() => this.#deactivate()),
      );
    }
    const { devices, sessions } = read.access ?? { devices: [], sessions: [] };
    if (asked === "lost") {
      const content = html`<ul>${devices.map((d) => html`<li>${nameOf(d)}</li>`)}</ul><p>${t.lostHint(devices.length, sessions.length)}</p>`;
      return question(
        t.lostAsk(name),
        content,
        t.lost,
        then(() => this.#lost(devices, sessions.length)),
      );
    }
    if ("device" in asked) {
      const what = nameOf(asked.device);
      return question(
        t.revokeAsk(what),
        html`<p>${t.revokeHint}</p>`,
        t.revoke,
        then(() => this.#take(asked.device)),
      );
    }
    return html``;
  }

  /** Does something for the person, then reads anew. */
  async #do(same: string, what: (key: string) => Promise<string>): Promise<void> {
    await this.act.run(async (key) => {
      const done = await what(key);
      await this.#again();
      return done;
    }, same);
    await this.updateComplete;
    if (!this.querySelector("dialog.sheet :focus")) this.querySelector<HTMLElement>("dialog.sheet button")?.focus();
  }

  readonly #invite = () =>
    this.#do("invite", async (key) => {
      await ask(InviteAgain, { id: this.person }, { key });
      return peopleTexts().invited(this.read.value?.user.name ?? "");
    });

  readonly #deactivate = () =>
    this.#do("deactivate", async (key) => {
      await ask(Deactivate, { id: this.person }, { key });
      return peopleTexts().deactivated(this.read.value?.user.name ?? "");
    });

  readonly #reactivate = () =>
    this.#do("reactivate", async (key) => {
      await ask(ChangePerson, { id: this.person, input: { active: true } }, { key });
      return peopleTexts().reactivated(this.read.value?.user.name ?? "");
    });

  readonly #take = (device: Device) =>
    this.#do(`take ${device.id}`, async (key) => {
      await ask(TakeDevice, { id: device.id }, { key });
      return peopleTexts().revoked(nameOf(device));
    });

  readonly #end = (session: Session) =>
    this.#do(`end ${session.id}`, async (key) => {
      await ask(EndSession, { id: session.id }, { key });
      return peopleTexts().ended;
    });

  /** Takes all devices of the person away, and ends what is left of their sessions. */
  readonly #lost = (devices: readonly Device[], sessions: number) =>
    this.#do("lost", async (key) => {
      for (const d of devices) await ask(TakeDevice, { id: d.id }, { key: `${key}-${d.id}` });
      await ask(EndSessions, { id: this.person }, { key });
      return peopleTexts().lostDone(devices.length, sessions);
    });

  async #erase(): Promise<void> {
    const done = await this.act.run(async (key) => {
      await ask(Erase, { id: this.person }, { key });
      return peopleTexts().erased;
    }, "erase");
    if (!done) return;
    this.dispatchEvent(new CustomEvent("wf-changed", { detail: peopleTexts().erased }));
    this.#closed();
  }
}

function nameOf(on: { readonly platform: Device["platform"]; readonly model: string }): string {
  const t = peopleTexts();
  return t.device(t.platforms[on.platform], on.model);
}

function open(element: Element | undefined): void {
  queueMicrotask(() => {
    if (element instanceof HTMLDialogElement && element.isConnected && !element.open) element.showModal();
  });
}
