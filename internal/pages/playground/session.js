// The session of the web app, which this page shares: what keeps somebody signed in is in cookies
// that no script reads, the access token in the memory of this page alone.

let access; // {token, ends}
let asked = false; // whether there is a session

// What the tabs of the web app tell each other.
const tabs = new BroadcastChannel("wf-session");
tabs.onmessage = ({ data }) => {
  access = data.signedIn;
};

async function post(name, body) {
  const answer = await fetch(`/app/session/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Language": "en" },
    body: JSON.stringify(body),
    cache: "no-store",
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.detail);
  if (json.accessToken) {
    const given = Date.now();
    access = { userId: json.userId, token: json.accessToken, given, ends: given + json.expiresIn * 1000 };
    tabs.postMessage({ signedIn: access });
  }
  return json;
}

// exchange asks for one thing at a time, as all tabs of the web app do.
const exchange = (name, body = {}) => navigator.locks.request("wf-session", () => post(name, body));

// token returns an access token, or undefined where nobody is signed in.
export async function token() {
  if (access ? access.ends < Date.now() + 30_000 : !asked) {
    access = undefined;
    asked = true;
    await exchange("refresh").catch(() => {});
  }
  return access?.token;
}

export const signIn = (username, password) => exchange("sign-in", { username, password });
export const verify = (otp) => exchange("verify", { otp });
export async function signOut() {
  await exchange("sign-out");
  access = undefined;
  tabs.postMessage({ ended: "signed_out" });
}
