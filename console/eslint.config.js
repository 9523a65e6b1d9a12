import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/gql"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      // Numbers in texts are fine; objects are not.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // An event handler may be an async function: what it throws is shown by the component.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "max-lines": ["error", 300],
    },
  },
  {
    files: ["src/starting.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "addEventListener",
          "document",
          "fetch",
          "location",
          "navigator",
          "sessionStorage",
          "setTimeout",
          "window",
        ]
          .concat(["HTMLLinkElement", "HTMLScriptElement"])
          .map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    files: ["tools/*.mjs"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
