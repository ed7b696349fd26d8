import { ask } from "../../api/client.js";
import { textOf, type Values } from "../../parts/form.js";
import * as documents from "./organization.graphql.js";
import type { Group } from "./tree-rows.js";

export type KindName = "businesses" | "designations";

/** What is shown of one group besides what its tree has. */
export interface Details {
  readonly totalUserCount: number;
  readonly description?: string | null | undefined;
  readonly manager?: { readonly id: string; readonly name: string } | null | undefined;
}

/** Under which Idempotency-Key something is written. */
interface Options {
  readonly key: string;
}

/** How groups of a kind are read and written. */
interface Kind {
  /** What the address calls one that is open. */
  readonly param: string;
  readonly list: (signal: AbortSignal) => Promise<readonly Group[]>;
  readonly one: (id: string, signal: AbortSignal) => Promise<Details>;
  readonly create: (values: Values, parentId: string | null, options: Options) => Promise<unknown>;
  readonly update: (id: string, values: Values, options: Options) => Promise<unknown>;
  /** Puts one below another one; null is the top. */
  readonly move: (id: string, to: string | null, options: Options) => Promise<unknown>;
  readonly merge: (id: string, to: string, options: Options) => Promise<unknown>;
  /** Deletes one; what it has goes to another one. */
  readonly remove: (id: string, to: string | null, options: Options) => Promise<unknown>;
}

export const kinds: Record<KindName, Kind> = {
  businesses: {
    param: "business",
    list: async (signal) => (await ask(documents.OrganizationBusinesses, {}, { signal })).businessList,
    one: async (id, signal) => (await ask(documents.OrganizationBusiness, { id }, { signal })).business,
    create: (values, parentId, options) =>
      ask(documents.OrganizationCreateBusiness, { input: { ...business(values), parentId } }, options),
    update: (id, values, options) =>
      ask(documents.OrganizationUpdateBusiness, { id, input: business(values) }, options),
    move: (id, to, options) => ask(documents.OrganizationMoveBusiness, { id, to }, options),
    merge: (id, to, options) => ask(documents.OrganizationMergeBusinesses, { id, to }, options),
    remove: (id, to, options) => ask(documents.OrganizationDeleteBusiness, { id, to }, options),
  },
  designations: {
    param: "designation",
    list: async (signal) => (await ask(documents.OrganizationDesignations, {}, { signal })).designationStructure,
    one: async (id, signal) => (await ask(documents.OrganizationDesignation, { id }, { signal })).designation,
    create: (values, parentId, options) =>
      ask(documents.OrganizationCreateDesignation, { input: { ...designation(values), parentId } }, options),
    update: (id, values, options) =>
      ask(documents.OrganizationUpdateDesignation, { id, input: designation(values) }, options),
    move: (id, to, options) => ask(documents.OrganizationMoveDesignation, { id, to }, options),
    merge: (id, to, options) => ask(documents.OrganizationMergeDesignations, { id, to }, options),
    remove: (id, to, options) => ask(documents.OrganizationDeleteDesignation, { id, to }, options),
  },
};

function business(values: Values) {
  return { name: values.name?.trim() ?? "", managerId: textOf(values.managerId) };
}

function designation(values: Values) {
  return { name: values.name?.trim() ?? "", description: textOf(values.description) };
}
