import { type Edges, nodes } from "./nodes.js";

/** How many rows a list may have that is read whole. */
const most = 20_000;

interface Page<Node> extends Edges<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** All rows of a list, page by page; got is called after each page with the rows so far. */
export async function everyPage<Node>(
  read: (after: string | null) => Promise<Page<Node>>,
  got: (rows: readonly Node[]) => void = () => {},
): Promise<Node[]> {
  const rows: Node[] = [];
  for (let after: string | null = null; ; ) {
    const page = await read(after);
    rows.push(...nodes(page));
    got(rows);
    after = page.pageInfo.endCursor ?? null;
    if (!page.pageInfo.hasNextPage || after === null || rows.length >= most) return rows;
  }
}
