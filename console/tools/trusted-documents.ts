import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
  type DefinitionNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from "graphql";
import type { Plugin } from "vite";

const FOLDERS = ["features", "frame"];
const IMPORT = /^import \{ graphql \} from "[./]+\/gql";\n/m;
const CALL = /\bgraphql\(\s*`([^`]*)`\s*,?\s*\)/g;

/** The id and the text of each operation, by its name. */
export type Manifest = ReadonlyMap<string, { id: string; text: string }>;

/**
 * Replaces each GraphQL document by its id when the console is built, and writes the manifest of all documents into
 * persisted-documents.json.
 *
 * The console then sends only ids, so the server may refuse all other documents, and no page carries the texts of
 * another one. There is no way back to a text: a server that does not know an id has another version of the console.
 */
export function trustedDocuments(): Plugin {
  let manifest: Manifest = new Map();
  let source = "";
  return {
    name: "postern-trusted-documents",
    apply: "build",
    enforce: "pre",
    configResolved(config) {
      source = join(config.root, "src");
    },
    buildStart() {
      manifest = manifestOf(FOLDERS.flatMap((folder) => filesOf(join(source, folder))).map(read));
    },
    transform(code, path) {
      if (!/\/src\/(features|frame)\/.*\.tsx?$/.test(path) || !code.includes("graphql(`")) return null;
      return { code: replaceDocuments(code, manifest), map: null };
    },
    generateBundle() {
      const texts = Object.fromEntries([...manifest.values()].map(({ id, text }) => [id, text]));
      this.emitFile({
        type: "asset",
        fileName: "persisted-documents.json",
        source: JSON.stringify(texts, null, 2),
      });
    },
  };
}

/**
 * Returns the operations of all files, each with the fragments that it spreads. An id is the SHA-256 of the text.
 *
 * Throws if an operation has no name, if two have one name, or if a fragment is missing.
 */
export function manifestOf(codes: readonly string[]): Manifest {
  const definitions = codes
    .flatMap((code) => [...code.matchAll(CALL)])
    .flatMap(([, text]) => definitionsOf(text ?? ""));
  const fragments = new Map(
    definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  const manifest = new Map<string, { id: string; text: string }>();
  for (const operation of definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const name = operation.name?.value;
    if (!name || manifest.has(name))
      throw new Error(`An operation needs a name of its own: ${print(operation)}`);
    const parts = [operation, ...spreadBy(operation, fragments)];
    const text = stripIgnoredCharacters(parts.map(print).join("\n"));
    manifest.set(name, { id: `sha256:${createHash("sha256").update(text).digest("hex")}`, text });
  }
  return manifest;
}

/** Returns the code with ids in place of documents. A fragment is part of the documents that spread it. */
export function replaceDocuments(code: string, manifest: Manifest): string {
  // Without calls its import is not needed either, so that a file of documents stays small.
  return code.replace(IMPORT, "").replace(CALL, (_call, text: string) => {
    const operation = definitionsOf(text).find((one) => one.kind === Kind.OPERATION_DEFINITION);
    if (!operation) return "undefined";
    const id = manifest.get(operation.name?.value ?? "")?.id;
    if (!id) throw new Error(`The manifest does not have this operation: ${text}`);
    return `({ kind: "Document", definitions: [], documentId: "${id}" })`;
  });
}

function spreadBy(
  node: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<FragmentDefinitionNode>(),
): Set<FragmentDefinitionNode> {
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (!fragment) throw new Error(`No file has the fragment ${name.value}.`);
      if (found.has(fragment)) return;
      found.add(fragment);
      spreadBy(fragment, fragments, found);
    },
  });
  return found;
}

function definitionsOf(text: string): (OperationDefinitionNode | FragmentDefinitionNode)[] {
  return parse(text, { noLocation: true }).definitions.filter(
    (one) => one.kind === Kind.OPERATION_DEFINITION || one.kind === Kind.FRAGMENT_DEFINITION,
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}
