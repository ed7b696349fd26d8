/** A business or designation in its tree; each stands before those below it. */
export interface TreeNode {
  readonly id: string;
  readonly name: string;
  readonly parentId?: string | null;
  readonly depth: number;
}

/** The ids of a node and of all below it; none where it is not there. */
export function subtree(tree: readonly TreeNode[], id: string): string[] {
  const at = tree.findIndex((n) => n.id === id);
  const top = tree[at];
  if (!top) return [];
  const below = tree.slice(at + 1);
  const end = below.findIndex((n) => n.depth <= top.depth);
  return [top, ...(end < 0 ? below : below.slice(0, end))].map((n) => n.id);
}

/** The ids of all above a node. */
export function above(tree: readonly TreeNode[], id: string): string[] {
  const byId = new Map(tree.map((n) => [n.id, n]));
  const ids: string[] = [];
  for (let up = byId.get(id)?.parentId; up; up = byId.get(up)?.parentId) ids.push(up);
  return ids;
}

/** How many people there are in each node and all below it, by id. */
export function sums(tree: readonly (TreeNode & { readonly userCount: number })[]): Map<string, number> {
  const of = new Map(tree.map((n) => [n.id, n.userCount]));
  for (const n of [...tree].reverse()) {
    if (n.parentId) of.set(n.parentId, (of.get(n.parentId) ?? 0) + (of.get(n.id) ?? 0));
  }
  return of;
}

/** How an import names a node: by its path, with a backslash before separators within names. */
export function pathOf(tree: readonly TreeNode[], id: string): string {
  const byId = new Map(tree.map((n) => [n.id, n]));
  return [...above(tree, id).reverse(), id]
    .map((at) => (byId.get(at)?.name ?? "").replace(/[\\/|;]/g, "\\$&"))
    .join(" / ");
}

/** Nodes as the options of a choice. */
export function treeOptions(tree: readonly TreeNode[]): (readonly [string, string])[] {
  return tree.map((n) => [n.id, "\u2003".repeat(n.depth) + n.name] as const);
}
