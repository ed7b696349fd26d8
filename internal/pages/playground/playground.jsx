import { createRoot } from "react-dom/client";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { GraphiQL } from "graphiql";
import "graphiql/setup-workers/vite";
import "@graphiql/react/style.css"; // one by one: graphiql/style.css brings the editor's
import "@graphiql/plugin-doc-explorer/style.css"; // styles a second time, and fonts
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "./playground.css";

const welcome = `# Requests go to /graphql of this server.
# Most need a token: below, under "Headers",
# put the access token of a sign-in in place
# of wfa_... and remove the two slashes.
#
#   Ctrl-Enter    run
#   Ctrl-Space    complete
#
# The arrows at the bottom left read the
# schema again. A subscription runs until you
# stop it; this one shows clock-ins as they
# happen:
#
#   subscription {
#     attendanceChanged { clockedInAt clockedOutAt user { name } }
#   }
#
# And this one asks who you are:

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

const fetcher = createGraphiQLFetcher({
  url: "/graphql",
  subscriptionUrl: location.origin.replace(/^http/, "ws") + "/graphql",
});

// Hint explains why there is no schema: this server shows it only to those who
// may see it, and queries work without.
function Hint() {
  const missing = useGraphiQL((s) => !s.schema && !s.isIntrospecting && s.fetchError !== null);
  const { introspect } = useGraphiQLActions();
  if (!missing) return null;
  return (
    <p className="hint" role="status">
      The schema could not be read, so nothing is completed or checked; requests work all the same. It is shown with a
      token that has the permission <code>developer.read.all</code>, under Headers.
      <button type="button" onClick={() => introspect()}>
        Read it again
      </button>
    </p>
  );
}

createRoot(document.getElementById("page")).render(
  <GraphiQL
    fetcher={fetcher}
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
