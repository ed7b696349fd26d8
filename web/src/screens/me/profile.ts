import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { encrypted } from "../../api/encrypt.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { regain } from "../../parts/focus.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { fileAddress } from "../../parts/save.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateAndTime } from "../../parts/time.js";
import type { StartQuery } from "../../shell.graphql.js";
import { isLanguage, setLanguage, texts } from "../../texts/texts.js";
import {
  ChangeAvatar,
  ChangeMe,
  ChangePassword,
  Profile as Document,
  EndMySession,
  EndOtherSessions,
  type ProfileQuery,
  RemoveAvatar,
} from "./profile.graphql.js";
import "./own-data.js";
import "./positions.js";
import { profileTexts } from "./profile-texts.js";
import { meTexts } from "./texts.js";

type Session = NodeOf<ProfileQuery["sessions"]>;

/** Who is signed in: what others see of them, how they are spoken to, their password, where they are signed in. */
@customElement("wf-profile")
export class Profile extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private asking = false;
  /** How often the person agreed here to what the rest of the page then shows. */
  @state() private consented = 0;
  private readonly me = new Reading(this, (signal) => ask(Document, { id: this.start.viewer.id }, { signal }));
  private readonly act = new Act(this);
  private readonly profile = new Form(this, "me", (values, key) => this.save(values, key));
  private readonly password = new Form(this, "password", (values, key) => this.changePassword(values, key));

  protected override render(): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${meTexts().places.profile}</h1></div>
      ${shown(this.me, (me) => this.content(me))}`;
  }

  private content({ viewer, sessions, tokenInfo }: ProfileQuery): TemplateResult {
    const t = profileTexts();
    this.profile.begin({
      locale: viewer.locale,
      messageChannel: viewer.messageChannel ?? "email",
      gender: viewer.gender ?? "",
      salutation: viewer.salutation ?? "",
    });
    const phone = viewer.mobileNumber;
    return html`${factList(
      said([
        [t.facts.name, viewer.name],
        [t.facts.email, viewer.email],
        [t.facts.phone, phone.number && (phone.countryCode ? `+${phone.countryCode} ${phone.number}` : phone.number)],
        [t.facts.number, viewer.employeeNumber],
        [t.facts.business, viewer.business?.name],
        [t.facts.designations, viewer.designations.map((d) => d.name).join(", ")],
      ]),
    )}
      ${this.act.told()}
      <h2>${t.picture}</h2>
      ${this.picture(viewer)}
      <h2>${t.profile}</h2>
      ${this.profile.render(() => this.fields(), texts().form.save)}
      <h2>${t.password}</h2>
      ${this.password.render(() => this.passwords(), t.changePassword, undefined, "plain")}
      ${this.signedIn(nodes(sessions), tokenInfo.deviceId)}
      <wf-positions @wf-consent=${() => this.consented++}></wf-positions>
      ${keyed(this.consented, html`<wf-own-data .start=${this.start}></wf-own-data>`)}`;
  }

  private fields(): TemplateResult {
    const t = profileTexts();
    const none = ["", texts().form.none] as const;
    return html`${this.profile.choice("locale", t.locale, [
      ["id", "Indonesia"],
      ["en", "English"],
    ])}
      ${this.profile.choice("messageChannel", t.channel, Object.entries(t.channels))}
      ${this.profile.choice("gender", t.gender, [none, ...Object.entries(t.genders)])}
      ${this.profile.text("salutation", t.salutation, { most: 32, hint: t.salutationHint })}`;
  }

  private async save(values: Values, key: string): Promise<string> {
    const input = {
      locale: values.locale ?? null,
      messageChannel: (values.messageChannel || null) as ProfileQuery["viewer"]["messageChannel"],
      gender: textOf(values.gender),
      salutation: textOf(values.salutation),
    };
    await ask(ChangeMe, { input }, { key });
    if (values.locale && isLanguage(values.locale)) setLanguage(values.locale);
    await this.me.again();
    return texts().form.saved;
  }

  private passwords(): TemplateResult {
    const t = profileTexts();
    return html`<input type="text" class="hidden" autocomplete="username" aria-hidden="true" tabindex="-1"
        .value=${this.me.value?.viewer.email ?? ""}>
      ${this.password.text("oldPassword", t.oldPassword, { type: "password", autocomplete: "current-password" })}
      ${this.password.text("newPassword", t.newPassword, {
        type: "password",
        autocomplete: "new-password",
        hint: t.newPasswordHint,
      })}`;
  }

  private async changePassword(values: Values, key: string): Promise<string> {
    const input = {
      oldPassword: await encrypted(values.oldPassword ?? ""),
      newPassword: await encrypted(values.newPassword ?? ""),
    };
    await ask(ChangePassword, { input }, { key });
    await this.me.again();
    return profileTexts().passwordChanged;
  }

  private picture(viewer: ProfileQuery["viewer"]): TemplateResult {
    const t = profileTexts();
    return html`<div class="actions">
      <img class="avatar" src=${fileAddress(viewer.image)} alt=${t.pictureOf(viewer.name)} width="96" height="96">
      <label class="file">${t.choosePicture}<input type="file" accept="image/jpeg,image/png,image/webp" aria-describedby="picture-hint"
        ?disabled=${this.act.busy} @change=${this.#choose}><span id="picture-hint" class="hint">${t.pictureHint}</span></label>
      <button type="button" ?disabled=${this.act.busy} @click=${this.#removePicture}>${t.removePicture}</button>
    </div>`;
  }

  readonly #choose = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const image = input.files?.[0];
    if (!image) return;
    await this.act.run(async (key) => {
      await ask(ChangeAvatar, { image }, { key });
      return profileTexts().pictureSaved;
    });
    input.value = "";
    void this.me.again();
  };

  readonly #removePicture = async (): Promise<void> => {
    await this.act.run(async (key) => {
      await ask(RemoveAvatar, {}, { key });
      return profileTexts().pictureRemoved;
    });
    void this.me.again();
  };

  private signedIn(sessions: readonly Session[], here: string): TemplateResult {
    const t = profileTexts();
    const others = sessions.filter((s) => s.device.deviceId !== here);
    return html`<h2 id="own-sessions" tabindex="-1">${t.sessions}</h2>
      ${table(t.sessions, this.columns(here), sessions, "")}
      ${
        others.length === 0
          ? nothing
          : html`<button type="button" ?disabled=${this.act.busy} @click=${() => (this.asking = true)}>${t.endOthers}</button>`
      }
      ${this.asking ? question(t.endOthersAsk(others.length), html``, t.endOthers, this.#endOthers) : nothing}`;
  }

  private columns(here: string): Column<Session>[] {
    const t = profileTexts();
    const at = (time: string | null | undefined): string =>
      time ? dateAndTime(time, this.start.company.timezone) : "";
    return [
      {
        name: "device",
        label: t.device,
        text: (s) => `${nameOf(s)}${s.device.deviceId === here ? ` (${t.here})` : ""}`,
      },
      { name: "since", label: t.since, text: (s) => at(s.createdAt), order: (s) => s.createdAt },
      { name: "until", label: t.until, text: (s) => at(s.endsAt), order: (s) => s.endsAt ?? "~" },
      {
        name: "end",
        label: t.end,
        text: () => "",
        cell: (s) =>
          s.device.deviceId === here
            ? ""
            : html`<button type="button" aria-label=${t.endOf(nameOf(s))} ?disabled=${this.act.busy} @click=${() => this.end(s)}>${t.end}</button>`,
      },
    ];
  }

  private async end(session: Session): Promise<void> {
    await this.act.run(async (key) => {
      await ask(EndMySession, { id: session.id }, { key });
      return profileTexts().ended(nameOf(session));
    });
    await this.#sessionsAgain();
  }

  /** Reads anew; the focus goes to the heading where what had it is gone. */
  async #sessionsAgain(): Promise<void> {
    await this.me.again();
    await this.updateComplete;
    regain(this.querySelector("#own-sessions"));
  }

  readonly #endOthers = async (yes: boolean): Promise<void> => {
    this.asking = false;
    if (!yes) return;
    await this.act.run(async (key) => {
      const { revokeAllSessions } = await ask(EndOtherSessions, {}, { key });
      return profileTexts().endedOthers(revokeAllSessions.length);
    });
    await this.#sessionsAgain();
  };
}

/** A device in words. */
function nameOf({ device }: Session): string {
  return device.model ?? (device.platform === "web" ? profileTexts().web : device.platform);
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-profile .start=${start}></wf-profile>`;
}
