// @hey-api/openapi-ts's: docs/sdks.md says how the package is made.
export default {
  input: "./openapi.json",
  output: { path: "src/generated", importFileExtension: ".js" },
  plugins: [
    { name: "@hey-api/client-fetch", throwOnError: true },
    "@hey-api/typescript",
    {
      name: "@hey-api/sdk",
      responseStyle: "data",
      operations: {
        strategy: "single",
        containerName: "Operations",
        nesting: "operationId",
      },
    },
  ],
};
