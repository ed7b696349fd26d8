import { dirname, relative } from "node:path";
import { Kind, print, visit } from "graphql";

/** A definition with the fragments that it is made of. */
function whole(definition, fragments) {
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

// The plugin of the generator that writes each operation as a text with its types.
export const plugin = (_schema, documents, { externalFragments = [] }, { outputFile }) => {
  const all = documents.flatMap(({ document }) => document.definitions);
  const own = all.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map([...own, ...externalFragments.map((f) => f.node)].map((d) => [d.name.value, d]));
  const content = all
    .filter((d) => d.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => {
      const { name, operation } = definition;
      const type = name.value + operation[0].toUpperCase() + operation.slice(1);
      const text = JSON.stringify(whole(definition, fragments));
      return `export const ${name.value} = ${text} as Operation<${type}, ${type}Variables>;`;
    });
  const folder = relative(dirname(outputFile), "src/api") || ".";
  const client = `${folder.startsWith(".") ? folder : `./${folder}`}/client.js`;
  return { prepend: [`import type { Operation } from "${client}";`], content: content.join("\n") };
};
