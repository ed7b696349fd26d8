/** What may be permitted, by resource: each action that an operation asks for. */
export const grants = [
  ["attendance", ["read", "write", "approve"]],
  ["correction", ["read", "write", "approve"]],
  ["leave", ["read", "write", "approve"]],
  ["shift", ["read", "write"]],
  ["time", ["read", "write", "approve"]],
  ["coordinate", ["read", "write"]],
  ["task", ["read", "write"]],
  ["project", ["write"]],
  ["ticket", ["read", "write"]],
  ["report", ["read", "write"]],
  ["user", ["read", "write"]],
  ["role", ["write"]],
  ["organization", ["read", "write"]],
  ["device", ["read", "write"]],
  ["session", ["read", "write"]],
  ["message", ["read", "write"]],
  ["audit", ["read"]],
  ["company", ["write"]],
  ["developer", ["read", "write"]],
] as const;

export type Resource = (typeof grants)[number][0];
export type Action = (typeof grants)[number][1][number];
export type Scope = "own" | "team" | "all";

/** Scopes, the narrowest first. */
export const scopes: readonly Scope[] = ["own", "team", "all"];

/** Every resource.action that can be granted, in the order of the table. */
export const names: readonly string[] = grants.flatMap(([resource, actions]) => actions.map((a) => `${resource}.${a}`));

/** The widest scope of each resource.action among permissions. */
export function widest(permissions: readonly string[]): Map<string, Scope> {
  const of = new Map<string, Scope>();
  for (const p of permissions) {
    const at = p.lastIndexOf(".");
    const name = p.slice(0, at);
    const scope = scopes.find((s) => s === p.slice(at + 1));
    const before = of.get(name);
    if (scope && (before === undefined || scopes.indexOf(scope) > scopes.indexOf(before))) of.set(name, scope);
  }
  return of;
}

/**
 * The permissions of a role whose scopes were chosen, "" for none; what has no row in the table stays as
 * it was.
 */
export function permissionsOf(chosen: Readonly<Record<string, string>>, before: readonly string[]): string[] {
  const others = before.filter((p) => !names.includes(p.slice(0, p.lastIndexOf("."))));
  const wanted = names.flatMap((name) => (chosen[name] ? [`${name}.${chosen[name]}`] : []));
  return [...others, ...wanted].sort();
}

/** The names whose scope a role would have otherwise. */
export function differences(chosen: Readonly<Record<string, string>>, before: readonly string[]): string[] {
  const was = widest(before);
  return names.filter((name) => (was.get(name) ?? "") !== (chosen[name] ?? ""));
}
