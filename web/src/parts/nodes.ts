/** A list as the API pages it. */
export interface Edges<Node> {
  readonly edges?: readonly ({ readonly node?: Node | null } | null)[] | null;
}

/** The nodes of a page. */
export function nodes<Node>(list: Edges<Node>): Node[] {
  return (list.edges ?? []).flatMap((edge) => (edge?.node ? [edge.node] : []));
}

/** What a list has. */
export type NodeOf<List> = List extends Edges<infer Node> ? Node : never;
