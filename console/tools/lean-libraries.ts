import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const FILES: Record<string, string> = {
  // Its package names the development files alone, with warnings that only developers need.
  "react-router": "../node_modules/react-router/dist/production/index.mjs",
  // urql brings a parser and a printer of documents; in a built console each document is an id.
  "@0no-co/graphql.web": "./without-parser.ts",
};

/** Leaves out of the built console what libraries have for other pages than ours. */
export function leanLibraries(): Plugin {
  return {
    name: "postern-lean-libraries",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer) {
      const file = FILES[source];
      if (!file) return null;
      const path = fileURLToPath(new URL(file, import.meta.url));
      return importer === path ? null : path;
    },
  };
}
