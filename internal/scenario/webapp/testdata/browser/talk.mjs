// What a program that uses the app is told, and how it talks with the test: it prints what is wrong as
// "fault …", and asks for what a person gets elsewhere, and for what happens meanwhile, by a line each,
// which is answered by a line.
import { createInterface } from "node:readline";

const [executablePath, port, now, email, password, pictures, more] = process.argv.slice(2);
export { email, now, password, pictures };
/** What this program alone is told; args are more of the browser's, serviceWorkers is "block" for none. */
export const told = (more && JSON.parse(more)) || {};
export const origin = "http://localhost";

/** How to start the browser, for which localhost is the server. */
export const launch = {
  executablePath,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    `--host-resolver-rules=MAP localhost 127.0.0.1:${port}`,
    ...(told.args ?? []),
  ],
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
export const fault = (text) => console.log(`fault ${String(text).replaceAll("\n", " ")}`);
export const asked = async (question) => {
  console.log(question);
  return (await lines.next()).value;
};
