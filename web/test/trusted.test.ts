import { describe, expect, it } from "vitest";
import { scriptAddress } from "../src/api/trusted.js";

describe("scriptAddress", () => {
  it("lets own scripts pass", () => expect(scriptAddress("/app/sw.js")).toBe(`${location.origin}/app/sw.js`));
  for (const address of [
    "https://elsewhere.test/app/sw.js",
    "/files/x.js",
    "/app/../files/x.js",
    "data:text/javascript,1",
    "/app/sw.js/x",
  ])
    it(`refuses ${address}`, () => expect(() => scriptAddress(address)).toThrow(TypeError));
});
