import { useEffect, useState } from "react";
import { StarIcon, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import text from "./operations.graphql?raw";
import { signIn, signOut, token, verify } from "./session.js";

// Each operation follows a line with the question that it answers.
const saved = text.trim().split("\n\n").map((one) => ({ title: one.split("\n")[0].replace(/^# /, ""), text: one + "\n" }));

// Session signs in and out. onchange is called after either.
function Session({ onchange }) {
  const [state, setState] = useState("unknown");
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);

  const take = async (answer) => {
    setState(answer.accessToken ? "in" : (answer.state ?? "out"));
    setSaid(
      answer.state === "approval" ? "Somebody of the company has to approve this browser first."
        : answer.destination ? `A code was sent to ${answer.destination}.`
        : "",
    );
    if (answer.accessToken) onchange();
  };
  const submit = (act) => async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await take(await act(form));
    } catch (error) {
      setSaid(error.message);
    }
    setBusy(false);
  };
  useEffect(() => {
    token().then((have) => setState(have ? "in" : "out"));
  }, []);

  const status = <p role="status">{said}</p>;
  switch (state) {
    case "in":
      return (
        <form key="in" onSubmit={submit(async () => (await signOut(), onchange(), { state: "out" }))}>
          <p>Requests run as whoever is signed in to the web app in this browser, unless Headers say otherwise.</p>
          <button disabled={busy}>Sign out</button>
          {status}
        </form>
      );
    case "code":
      return (
        <form key="code" onSubmit={submit((form) => verify(form.get("otp")))}>
          <label>
            Code
            <input name="otp" inputMode="numeric" autoComplete="one-time-code" required autoFocus />
          </label>
          <button disabled={busy}>Verify</button>
          {status}
        </form>
      );
    case "unknown":
      return <p role="status">…</p>;
  }
  return (
    <form key="out" onSubmit={submit((form) => signIn(form.get("username"), form.get("password")))}>
      <label>
        E-mail address
        <input name="username" type="email" autoComplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button disabled={busy}>Sign in</button>
      {status}
    </form>
  );
}

function Saved() {
  const { addTab, introspect } = useGraphiQLActions();
  const queryEditor = useGraphiQL((s) => s.queryEditor);
  const open = (operation) => {
    addTab();
    queryEditor.setValue(operation.text);
  };
  return (
    <section className="saved" aria-label="Sign in and saved operations">
      <h2>Sign in</h2>
      <Session onchange={() => introspect()} />
      <h2>Saved operations</h2>
      <ul>
        {saved.map((operation) => (
          <li key={operation.title}>
            <button type="button" disabled={!queryEditor} onClick={() => open(operation)}>
              {operation.title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const plugin = { title: "Sign in and saved operations", icon: StarIcon, content: Saved };
