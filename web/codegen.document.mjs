import { createHash } from "node:crypto";
import { dirname, relative } from "node:path";
import { Kind, print, visit } from "graphql";

/** The text of an operation with the fragments that it is made of. */
function textOf(definition, fragments) {
  const parts = [definition];
  const add = (part) =>
    visit(part, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (parts.includes(fragment)) return;
        parts.push(fragment);
        add(fragment);
      },
    });
  add(definition);
  return parts.map(print).join(" ").replace(/\s+/g, " ");
}

const hashOf = (text) => createHash("sha256").update(text).digest("hex");

// The plugin of the generator that writes operations: into documents.json as texts by their hashes, which the
// server knows them by, and beside each file as those hashes with their types.
export const plugin = (_schema, documents, { externalFragments = [] }, { outputFile }) => {
  const all = documents.flatMap(({ document }) => document.definitions);
  const operations = all.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  const own = all.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map([...own, ...externalFragments.map((f) => f.node)].map((d) => [d.name.value, d]));
  if (outputFile.endsWith(".json")) {
    const texts = operations.map((o) => textOf(o, fragments)).sort();
    return JSON.stringify(Object.fromEntries(texts.map((text) => [hashOf(text), text])), null, 1);
  }
  const content = operations.map((definition) => {
    const name = definition.name.value;
    const kind = definition.operation;
    const type = name + kind[0].toUpperCase() + kind.slice(1);
    const value = JSON.stringify({ name, kind, hash: hashOf(textOf(definition, fragments)) });
    return `export const ${name}: Operation<${type}, ${type}Variables> = ${value};`;
  });
  const folder = relative(dirname(outputFile), "src/api") || ".";
  const client = `${folder.startsWith(".") ? folder : `./${folder}`}/client.js`;
  return { prepend: [`import type { Operation } from "${client}";`], content: content.join("\n") };
};
