// An app that keeps its entries in a folder and does what it is told on its standard input, a line a
// call: [id, method, ...arguments] as JSON. It answers [id, "ok", result] or [id, the fault's name, its fields].
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Workforce } from "./workforce.js";

const [server, folder] = process.argv.slice(2);

/** As localStorage, which all tabs share: each entry is a file, which is there as a whole or not at all. */
const store = {
  names: () => readdirSync(folder).filter((name) => !name.startsWith(".")),
  file: (name) => `${folder}/${encodeURIComponent(name)}`,
  get length() {
    return this.names().length;
  },
  key(i) {
    return decodeURIComponent(this.names()[i] ?? "");
  },
  getItem(name) {
    try {
      return readFileSync(this.file(name), "utf8");
    } catch {
      return null;
    }
  },
  setItem(name, text) {
    const made = `${folder}/.${process.pid}`;
    writeFileSync(made, text);
    renameSync(made, this.file(name));
  },
  removeItem(name) {
    rmSync(this.file(name), { force: true });
  },
};
mkdirSync(folder, { recursive: true });

// Pauses pass four times as fast, so that the tests do.
const wait = globalThis.setTimeout;
globalThis.setTimeout = (done, ms, ...args) => wait(done, ms / 4, ...args);

const clock = Date.now;
let ahead = 0;
Date.now = () => clock() + ahead;

const client = new Workforce({ server, store, appVersion: "2.3.0", language: "en" });
const extra = {
  pass: (seconds) => {
    ahead += seconds * 1_000;
  },
  profile: () => client.call("GET", "/user/profile"),
  verification: () => client.verification,
  speak: (language) => {
    client.language = language;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [id, method, ...args] = JSON.parse(line);
  const say = (...answer) => console.log(JSON.stringify([id, ...answer]));
  const run = async () => (extra[method] ? extra[method](...args) : client[method](...args));
  run().then(
    (result) => say("ok", result ?? null),
    (error) => say(error.constructor.name, { ...error, message: error.message }),
  );
}
