import { Kind, parse } from "graphql";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const MANIFEST = "src/gql/persisted-documents.json";
const IMPORT = /^import \{ graphql \} from "[./]+\/gql";\n/m;
const CALL = /\bgraphql\(\s*`([^`]*)`\s*,?\s*\)/g;

/**
 * Replaces each GraphQL document by its id in the manifest, when the console is built.
 *
 * The console then sends only ids, so the server may refuse all other documents, and no page carries the texts of
 * another one. There is no way back to a text: a server that does not know an id has another version of the console.
 */
export function trustedDocuments(): Plugin {
  let ids = new Map<string, string>();
  return {
    name: "postern-trusted-documents",
    apply: "build",
    enforce: "pre",
    buildStart() {
      const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<string, string>;
      ids = new Map(Object.entries(manifest).map(([id, text]) => [operationOf(text) ?? "", id]));
    },
    transform(code, path) {
      if (!/\/src\/(features|frame)\/.*\.tsx?$/.test(path) || !code.includes("graphql(`")) return null;
      return { code: replaceDocuments(code, ids), map: null };
    },
  };
}

/** Returns the code with ids in place of documents. A fragment is part of the documents that spread it. */
export function replaceDocuments(code: string, ids: ReadonlyMap<string, string>): string {
  // Without calls its import is not needed either, so that a file of documents stays small.
  return code.replace(IMPORT, "").replace(CALL, (_call, text: string) => {
    const name = operationOf(text);
    if (!name) return "undefined";
    const id = ids.get(name);
    if (!id) throw new Error(`The manifest has no operation ${name}. Run: npm run codegen`);
    return `({ kind: "Document", definitions: [], documentId: "${id}" })`;
  });
}

function operationOf(text: string): string | undefined {
  for (const definition of parse(text, { noLocation: true }).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) return definition.name?.value;
  }
  return undefined;
}
