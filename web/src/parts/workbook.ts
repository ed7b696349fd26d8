/** A workbook (XLSX) with one sheet of texts, the first row of which is a header. */

const utf8 = new TextEncoder();
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packed = "http://schemas.openxmlformats.org/package/2006";
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook besides its sheet, by their names. */
const parts: readonly (readonly [string, string])[] = [
  [
    "[Content_Types].xml",
    `<Types xmlns="${packed}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `<Relationships xmlns="${packed}/relationships"><Relationship Id="rId1" Type="${of}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${main}" xmlns:r="${of}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${packed}/relationships"><Relationship Id="rId1" Type="${of}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

/** A workbook of rows of texts: a spreadsheet takes none for a number, a date or a formula. */
export async function workbook(rows: readonly (readonly string[])[]): Promise<Uint8Array<ArrayBuffer>> {
  return await zip([...parts, ["xl/worksheets/sheet1.xml", sheet(rows)]]);
}

function sheet(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  const lines = rows.map((row) => `<row>${row.map(cell).join("")}</row>`);
  return `<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

/** A text in XML, without what XML cannot have. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("\r", "&#13;");
}

/** A ZIP file of texts (APPNOTE 4.3), with the first instant that it knows as their time. */
async function zip(files: readonly (readonly [string, string])[]): Promise<Uint8Array<ArrayBuffer>> {
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const [name, text] of files) {
    const bytes = utf8.encode(head + text);
    const content = await deflated(bytes);
    // Version 2.0, names in UTF-8, deflated, 1980-01-01.
    const facts = [20, 0x800, 8, 0, 0x21, crc(bytes), content.length, bytes.length, name.length, 0];
    const sizes = [2, 2, 2, 2, 2, 4, 4, 4, 2, 2];
    bodies.push(record(0x04034b50, facts, sizes), utf8.encode(name), content);
    list.push(record(0x02014b50, [20, ...facts, 0, 0, 0, 0, at], [2, ...sizes, 2, 2, 2, 4, 4]), utf8.encode(name));
    at += 30 + name.length + content.length;
  }
  const size = list.reduce((sum, part) => sum + part.length, 0);
  const end = record(0x06054b50, [0, 0, files.length, files.length, size, at, 0], [2, 2, 2, 2, 4, 4, 2]);
  return new Uint8Array(await new Blob([...bodies, ...list, end]).arrayBuffer());
}

/** A record of a ZIP file: its signature, and numbers of 2 or 4 bytes, the lowest byte first. */
function record(signature: number, numbers: readonly number[], sizes: readonly number[]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(4 + sizes.reduce((sum, size) => sum + size, 0)));
  out.setUint32(0, signature, true);
  let at = 4;
  numbers.forEach((n, i) => {
    if (sizes[i] === 2) out.setUint16(at, n, true);
    else out.setUint32(at, n, true);
    at += sizes[i] ?? 0;
  });
  return new Uint8Array(out.buffer);
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const crcs = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The CRC-32 of bytes. */
function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = (crcs[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
