import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { workbook } from "../src/parts/workbook.js";

/** The files of a ZIP file, by the list at its end. */
function unzip(data: Uint8Array): Map<string, string> {
  const view = new DataView(data.buffer);
  const end = data.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < view.getUint16(end + 10, true); i++) {
    const [size, name] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
    const body = view.getUint32(at + 42, true);
    const text = new TextDecoder().decode(data.subarray(at + 46, at + 46 + name));
    const content = data.subarray(body + 30 + name, body + 30 + name + size);
    files.set(text, new TextDecoder().decode(inflateRawSync(content)));
    at += 46 + name;
  }
  return files;
}

test("a workbook has texts as they are", async () => {
  const files = unzip(await workbook([["name"], ["=1+1"], [" A & <B>\u0000\ud800 "]]));
  expect([...files.keys()]).toContain("xl/workbook.xml");
  const sheet = files.get("xl/worksheets/sheet1.xml") ?? "";
  expect(sheet.match(/<row>/g)?.length).toBe(3);
  expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(sheet).toContain("> A &amp; &lt;B> <");
});
