import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import "../../parts/pick.js";
import type { Option } from "../../parts/pick.js";
import { shown } from "../../parts/states.js";
import {
  OrganizationBusinessesToPick,
  OrganizationPlaces,
  type OrganizationPlacesQuery,
  OrganizationSetPlaces,
} from "./sites.graphql.js";
import { organizationTexts } from "./texts.js";

type Place = NodeOf<OrganizationPlacesQuery["allowedPlaces"]>;

/** How many businesses are offered at once. */
const offered = 12;

/** Businesses by a part of their name, as a field offers them. */
export async function businesses(search: string, signal: AbortSignal): Promise<readonly Option[]> {
  const { businessList } = await ask(OrganizationBusinessesToPick, { search }, { signal });
  return businessList.slice(0, offered);
}

/** Whose set of sites one is: the id goes with the name of its kind. */
function ownerOf(place: Place): { readonly id: string; readonly name: string } {
  return place.user ?? place.shift ?? place.designation ?? place.business ?? { id: "", name: "" };
}

/** The ids of the sites that somebody's list has; none where there is no list. */
async function listed(of: Place["of"], id: string): Promise<readonly string[]> {
  const where = {
    user: { hasUserWith: [{ id }] },
    shift: { hasShiftWith: [{ id }] },
    designation: { hasDesignationWith: [{ id }] },
    business: { hasBusinessWith: [{ id }] },
  }[of];
  return nodes((await ask(OrganizationPlaces, { where }, {})).allowedPlaces).map((p) => p.address.id);
}

/** Who may clock in at a site, where that is not everybody, and what changes it. */
@customElement("wf-places")
export class Places extends Part {
  /** The id of the site. */
  @property() site = "";
  @state() private of: "business" | "user" = "business";
  /** Who has no list of sites yet, whose first one is asked about. */
  @state() private first: Option | undefined;
  private readonly act = new Act(this);
  private readonly read = new Reading(this, async (signal) => {
    const where = { hasAddressWith: [{ id: this.site }] };
    return nodes((await ask(OrganizationPlaces, { where }, { signal })).allowedPlaces);
  });

  protected override render(): TemplateResult {
    const t = organizationTexts().places;
    return html`<section aria-labelledby="places"><h3 id="places">${t.heading}</h3>
      <p class="hint">${t.hint}</p>
      ${shown(this.read, (list) =>
        list.length === 0
          ? html`<p>${t.none}</p>`
          : html`<ul class="chips" aria-label=${t.heading}>${list.map((p) => {
              const { id, name } = ownerOf(p);
              return html`<li>${t.of[p.of]}: ${name} <button type="button" class="link" aria-label=${t.remove(name)}
                ?disabled=${this.act.busy} @click=${() => this.change(p.of, id, name, false)}>×</button></li>`;
            })}</ul>`,
      )}
      <div class="fields">
        <div class="field"><label for="places-of">${t.kind}</label><select id="places-of" @change=${(e: Event) => {
          this.of = (e.target as HTMLSelectElement).value as "business" | "user";
        }}><option value="business">${t.of.business}</option><option value="user">${t.of.user}</option></select></div>
        <div class="field"><wf-pick .field=${"places-who"} .label=${t.add} .find=${this.of === "user" ? people : businesses} .chosen=${[]}
          @wf-picked=${this.#picked}></wf-pick><p id="places-who-hint" class="hint">${t.addHint}</p></div>
      </div>
      ${this.act.told()}${this.first ? this.ask(this.first) : nothing}</section>`;
  }

  private ask({ id, name }: Option): TemplateResult {
    const t = organizationTexts().places;
    return question(t.ask(name), html`<p>${t.askHint}</p>`, t.add, (yes) => {
      this.first = undefined;
      if (yes) this.change(this.of, id, name, true, true);
    });
  }

  readonly #picked = (event: Event): void => {
    const field = event.target as unknown as { chosen: readonly Option[] };
    const [one] = field.chosen;
    field.chosen = [];
    if (one) this.change(this.of, one.id, one.name, true);
  };

  /** Puts the site into the list of somebody, or takes it out; the others of the list stay. A first site is asked about. */
  private change(of: Place["of"], id: string, name: string, add: boolean, sure = false): void {
    const t = organizationTexts().places;
    void this.act.run(async (key) => {
      const had = await listed(of, id);
      if (add && had.length === 0 && !sure) {
        this.first = { id, name };
        return "";
      }
      const others = had.filter((a) => a !== this.site);
      const addressIds = add ? [...others, this.site] : others;
      await ask(OrganizationSetPlaces, { input: { [`${of}Id`]: id, addressIds } }, { key });
      await this.read.again();
      if (add) return t.added(name);
      return addressIds.length === 0 ? t.everywhere(name) : t.removed(name);
    }, `${of} ${id} ${add}`);
  }
}
