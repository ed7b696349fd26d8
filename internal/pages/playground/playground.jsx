import { createRoot } from "react-dom/client";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { GraphiQL } from "graphiql";
import "graphiql/setup-workers/vite";
import "@graphiql/react/style.css"; // one by one: graphiql/style.css brings the editor's
import "@graphiql/plugin-doc-explorer/style.css"; // styles a second time, and fonts
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import "./playground.css";
import { plugin as savedOperations } from "./saved.jsx";
import { token } from "./session.js";

const welcome = `# Requests go to /graphql of this server, and most
# need somebody who is signed in: do so at the left,
# where saved operations answer the usual questions,
# or put a token under "Headers".
#
#   Ctrl-Enter    run
#   Ctrl-Space    complete
#
# The arrows at the bottom left read the
# schema again. This asks who you are:

{
  viewer {
    id
    name
  }
}
`;

const headers = `{
  // "Authorization": "Bearer wfa_...",
  "X-Language": "en"
}
`;

const send = createGraphiQLFetcher({
  url: "/graphql",
  subscriptionUrl: location.origin.replace(/^http/, "ws") + "/graphql",
});

// fetcher adds the access token of the session to requests whose headers have no token.
async function fetcher(params, options) {
  const headers = { ...options?.headers };
  const own = Object.keys(headers).some((name) => /^(authorization|x-access-token)$/i.test(name));
  const access = own ? undefined : await token();
  if (access) headers.Authorization = `Bearer ${access}`;
  return send(params, { ...options, headers });
}

// Hint explains why there is no schema: this server shows it only to those who
// may see it, and queries work without.
function Hint() {
  const missing = useGraphiQL((s) => !s.schema && !s.isIntrospecting && s.fetchError !== null);
  const { introspect } = useGraphiQLActions();
  if (!missing) return null;
  return (
    <p className="hint" role="status">
      The schema could not be read, so nothing is completed or checked; requests work all the same. It is shown to a
      person who has the permission <code>developer.read.all</code>: sign in at the left, or give a token under Headers.
      <button type="button" onClick={() => introspect()}>
        Read it again
      </button>
    </p>
  );
}

createRoot(document.getElementById("page")).render(
  <GraphiQL
    fetcher={fetcher}
    plugins={[savedOperations, HISTORY_PLUGIN]}
    visiblePlugin={savedOperations}
    defaultQuery={welcome}
    defaultHeaders={headers}
    defaultEditorToolsVisibility="headers"
    shouldPersistHeaders={false}
    inputValueDeprecation
    schemaDescription
  >
    <GraphiQL.Logo>Workforce</GraphiQL.Logo>
    <GraphiQL.Footer>
      <Hint />
    </GraphiQL.Footer>
  </GraphiQL>,
);
