import { html, type TemplateResult } from "lit";
import type { Fact } from "../../parts/facts.js";
import { type Form, textOf, type Values } from "../../parts/form.js";
import type { OrganizationPoliciesQuery } from "./sites.graphql.js";
import { organizationTexts } from "./texts.js";

/** What happens to clock events, by the name of the rule, as the API has them. */
export const rules = ["geofenceIn", "geofenceOut", "face", "device", "accuracy", "mock", "speed"] as const;

type Rule = (typeof rules)[number];
type Action = OrganizationPoliciesQuery["company"]["settings"][Rule];
/** The rules that a site has of its own. */
export type Own = { readonly [Name in Rule]?: Action | null | undefined };

const actions: readonly Action[] = ["block", "flag", "off"];

/** The values of the fields of rules; "" is the company's. */
export function policyValues(own: Own | undefined): Values {
  return Object.fromEntries(rules.map((r) => [`policies.${r}`, own?.[r] ?? ""]));
}

/** The rules that the fields tell; null for the company's. */
export function policiesOf(values: Values): Partial<Record<Rule, Action | null>> {
  return Object.fromEntries(rules.map((r) => [r, textOf(values[`policies.${r}`]) as Action | null]));
}

/** A field for each rule, with its meaning and what holds without it, once the company's rules are read. */
export function policyFields(form: Form, company: Own | undefined): TemplateResult {
  const t = organizationTexts().policies;
  const options = (rule: Rule): (readonly [string, string])[] => {
    const theirs = company?.[rule];
    return [
      ["", theirs ? t.asCompany(t.actions[theirs]) : t.company],
      ...actions.map((a) => [a, t.actions[a]] as const),
    ];
  };
  return html`<p class="hint">${t.hint}</p>
    <div class="form">${rules.map((r) =>
      form.choice(`policies.${r}`, t.rules[r][0] ?? "", options(r), { hint: t.rules[r][1] ?? "" }),
    )}</div>`;
}

/** The rules that a site has of its own, in words. */
export function policyFacts(own: Own): Fact[] {
  const t = organizationTexts().policies;
  return rules.flatMap((r): Fact[] => {
    const action = own[r];
    return action ? [[t.rules[r][0] ?? "", t.actions[action]]] : [];
  });
}
