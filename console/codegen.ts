import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../schema.graphql",
  documents: ["src/**/*.{ts,tsx}", "!src/gql/**"],
  generates: {
    "src/gql/": {
      preset: "client",
      presetConfig: {
        fragmentMasking: false,
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
