import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../../../../../graph/*.graphqls",
  documents: "*.graphql",
  generates: {
    "gen/": {
      preset: "client",
      presetConfig: { persistedDocuments: { hashAlgorithm: "sha256" } },
    },
  },
};
export default config;
