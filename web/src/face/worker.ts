// Looks at pictures for the page. It is the one script of the app that may compile WebAssembly, by the policy that comes
// with it. Pictures are dropped once they are looked at.
import type { Finder } from "./finder.js";
import { type Found, lightOn, type Picture } from "./geometry.js";
import type { Answer, Look, Seen } from "./messages.js";
import { loadFinder } from "./models.js";

const page = globalThis as unknown as { postMessage(answer: Answer, transfer?: Transferable[]): void };
const finder = loadFinder();

finder.then(
  () => page.postMessage({ state: "ready" }),
  (error: unknown) => page.postMessage({ state: "failed", reason: String(error) }),
);

addEventListener("message", async ({ data }: MessageEvent<Look>) => {
  try {
    look(await finder, data.picture);
  } catch (error) {
    page.postMessage({ state: "failed", reason: String(error) });
  }
});

function look(at: Finder, picture: Picture): void {
  const { width, height } = picture;
  const { faces, points } = at.see(picture);
  const light = points && lightOn(picture, points);
  const seen = faces.map((face) => within(face, picture));
  page.postMessage({ state: "seen", faces: seen, points, light, width, height }, points ? [points.buffer] : []);
}

/** The box of a face, of parts of the square around the picture, in parts of the picture. */
function within({ left, top, right, bottom }: Found, { width, height }: Picture): Seen {
  const side = Math.max(width, height);
  const x = (at: number): number => 0.5 + ((at - 0.5) * side) / width;
  const y = (at: number): number => 0.5 + ((at - 0.5) * side) / height;
  return { left: x(left), top: y(top), right: x(right), bottom: y(bottom) };
}
