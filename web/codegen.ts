import type { CodegenConfig } from "@graphql-codegen/cli";

// Types of the operations in src/**/*.graphql, from the schema of the server, each in a file
// beside its own: an operation that the schema does not have fails the build, and a screen loads
// no operation of another. Their texts are in documents.json, for the server.
const scalars = {
  ID: "string",
  Time: "string",
  Date: "string",
  DateOrTime: "string",
  Reading: "unknown",
  Cursor: "string",
  Coordinate: "string",
  FileLink: "string",
  Upload: "File",
};

const config: CodegenConfig = {
  schema: "../graph/*.graphqls",
  documents: "src/**/*.graphql",
  generates: {
    "src/api/schema.ts": {
      plugins: ["typescript"],
      config: { scalars, strictScalars: true, enumsAsTypes: true, onlyOperationTypes: true, skipTypename: true },
    },
    "documents.json": { plugins: ["codegen.document.mjs"] },
    "src/": {
      preset: "near-operation-file",
      presetConfig: { extension: ".graphql.ts", baseTypesPath: "api/schema.ts" },
      plugins: ["typescript-operations", "codegen.document.mjs"],
      config: { scalars, strictScalars: true, enumsAsTypes: true, useTypeImports: true, skipTypename: true },
    },
  },
};
export default config;
