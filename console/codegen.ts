import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../schema.graphql",
  documents: ["src/**/*.{ts,tsx}", "!src/gql/**"],
  generates: {
    // CODEGEN_OUT is set by tools/codegen-check.mjs, which compares what is generated with what is stored.
    [process.env.CODEGEN_OUT ?? "src/gql/"]: {
      preset: "client",
      presetConfig: {
        fragmentMasking: false,
        persistedDocuments: {
          mode: "embedHashInDocument",
          hashPropertyName: "hash",
          hashAlgorithm: "sha256",
        },
      },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        enumType: "string-literal",
        scalars: {
          DateTime: "string",
          // Amounts are sent as text, so that no digit is lost.
          Decimal: { input: "number | string", output: "number" },
          JSON: "unknown",
          UUID: "string",
          Upload: "File",
        },
      },
    },
  },
};

export default config;
