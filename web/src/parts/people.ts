import { ask } from "../api/client.js";
import { PeopleToPick } from "./people.graphql.js";
import type { Option } from "./pick.js";

/** People by a part of their name, as a field offers them. */
export async function people(search: string, signal: AbortSignal): Promise<readonly Option[]> {
  const { employees } = await ask(PeopleToPick, { search }, { signal });
  return employees.nodes.map((p) => ({ id: p.id, name: p.name, ...(p.email && { hint: p.email }) }));
}
