/** A group of people in its tree: a business or a designation. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly parentId?: string | null | undefined;
  /** How many active people are in it, without those below. */
  readonly userCount: number;
  /** How many work sites belong to it; designations have none. */
  readonly addressCount?: number;
}

/** A line of a tree. */
export interface Line {
  readonly group: Group;
  /** 1 at the top. */
  readonly level: number;
  /** Its place among its siblings, from 1, and how many these are. */
  readonly place: number;
  readonly siblings: number;
  /** Null where nothing is below it. */
  readonly open: boolean | null;
}

/** A tree of so many groups begins with all of them shown; a larger one with its top. */
const few = 200;

/** Groups by what is above them, "" for the top, each by name. */
export function byParent(groups: readonly Group[]): ReadonlyMap<string, readonly Group[]> {
  const known = new Set(groups.map((g) => g.id));
  const below = new Map<string, Group[]>();
  for (const group of groups) {
    const parent = group.parentId && known.has(group.parentId) ? group.parentId : "";
    const list = below.get(parent);
    if (list) list.push(group);
    else below.set(parent, [group]);
  }
  const words = new Intl.Collator(undefined, { numeric: true });
  for (const list of below.values()) list.sort((a, b) => words.compare(a.name, b.name));
  return below;
}

/**
 * The lines of a tree that are seen. toggled are those that are not as the tree begins; with a search,
 * all that have it in their name, and what is above them.
 */
export function linesOf(groups: readonly Group[], toggled: ReadonlySet<string>, search = ""): Line[] {
  const below = byParent(groups);
  const seen = search === "" ? undefined : matching(groups, search);
  const lines: Line[] = [];
  const add = (parent: string, level: number): void => {
    const list = (below.get(parent) ?? []).filter((g) => !seen || seen.has(g.id));
    list.forEach((group, i) => {
      const some = below.get(group.id)?.some((g) => !seen || seen.has(g.id)) ?? false;
      const open = seen ? true : groups.length <= few !== toggled.has(group.id);
      lines.push({ group, level, place: i + 1, siblings: list.length, open: some ? open : null });
      if (some && open) add(group.id, level + 1);
    });
  };
  add("", 1);
  return lines;
}

function matching(groups: readonly Group[], search: string): ReadonlySet<string> {
  const byId = new Map(groups.map((g) => [g.id, g]));
  const seen = new Set<string>();
  for (const group of groups) {
    if (!group.name.toLowerCase().includes(search.toLowerCase())) continue;
    for (let at: Group | undefined = group; at && !seen.has(at.id); at = byId.get(at.parentId ?? "")) seen.add(at.id);
  }
  return seen;
}

/** The ids of a group and of all below it. */
export function subtree(groups: readonly Group[], id: string): ReadonlySet<string> {
  const below = byParent(groups);
  const all = new Set<string>();
  const add = (of: string): void => {
    if (all.has(of)) return;
    all.add(of);
    for (const group of below.get(of) ?? []) add(group.id);
  };
  add(id);
  return all;
}

/** The names of all above a group and of itself: Nusantara / Bandung / Gudang. */
export function pathOf(groups: readonly Group[], id: string): string {
  const byId = new Map(groups.map((g) => [g.id, g]));
  const names: string[] = [];
  const known = new Set<string>();
  for (let at = byId.get(id); at && !known.has(at.id); at = byId.get(at.parentId ?? "")) {
    known.add(at.id);
    names.unshift(at.name);
  }
  return names.join(" / ");
}

/** Where a key of a tree leads: to the line of a place, or to open or close the one at which it was pressed. */
export function keyIn(lines: readonly Line[], at: number, key: string): number | "toggle" | undefined {
  const line = lines[at];
  if (!line) return undefined;
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, lines.length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return lines.length - 1;
    case "ArrowRight":
      if (line.open === null) return undefined;
      return line.open ? at + 1 : "toggle";
    case "ArrowLeft": {
      if (line.open) return "toggle";
      const above = lines.slice(0, at).findLastIndex((l) => l.level < line.level);
      return above < 0 ? undefined : above;
    }
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const rest = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
      const next = rest.find((l) => l.group.name.toLowerCase().startsWith(key.toLowerCase()));
      return next ? lines.indexOf(next) : undefined;
    }
  }
}
