import { dirname, relative } from "node:path";
import { print } from "graphql";

// The plugin of the generator that writes each operation as a text with its types.
export const plugin = (_schema, documents, _config, { outputFile }) => {
  const content = documents.flatMap(({ document }) =>
    document.definitions.map((definition) => {
      const { name, operation } = definition;
      const type = name.value + operation[0].toUpperCase() + operation.slice(1);
      const text = JSON.stringify(print(definition).replace(/\s+/g, " "));
      return `export const ${name.value} = ${text} as Operation<${type}, ${type}Variables>;`;
    }),
  );
  const folder = relative(dirname(outputFile), "src/api") || ".";
  const client = `${folder.startsWith(".") ? folder : `./${folder}`}/client.js`;
  return { prepend: [`import type { Operation } from "${client}";`], content: content.join("\n") };
};
