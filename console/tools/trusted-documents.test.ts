import { Kind, parse } from "graphql";
import { readFileSync } from "node:fs";
import { Client, fetchExchange } from "urql";
import { describe, expect, it, vi } from "vitest";
import { replaceDocuments } from "./trusted-documents";

describe("replaceDocuments", () => {
  it("replaces an operation by its id, and leaves fragments out", () => {
    const code =
      "const A = graphql(`\n  query A {\n    me { uuid }\n  }\n`);\nconst F = graphql(`fragment F on User { uuid }`);";
    expect(replaceDocuments(code, new Map([["A", "sha256:abc"]]))).toBe(
      'const A = ({ kind: "Document", definitions: [], documentId: "sha256:abc" });\nconst F = undefined;',
    );
  });

  it("refuses an operation that the manifest does not have", () => {
    expect(() => replaceDocuments("graphql(`query B { me { uuid } }`)", new Map())).toThrow(
      "npm run codegen",
    );
  });
});

describe("a document that is only an id", () => {
  it("is sent as documentId, without a text", async () => {
    vi.stubEnv("NODE_ENV", "production"); // during development urql wants to see the operation's kind in a text
    const bodies: unknown[] = [];
    const client = new Client({
      url: "http://console.invalid/graphql",
      preferGetMethod: false,
      exchanges: [fetchExchange],
      fetch: (_url, options) => {
        bodies.push(JSON.parse(options?.body as string));
        return Promise.resolve(new Response(JSON.stringify({ data: { me: null } })));
      },
    });
    const document = { kind: "Document", definitions: [], documentId: "sha256:abc" };
    const query = document as unknown as ReturnType<typeof parse>;
    await client.query(query, { n: 1 }).toPromise();
    expect(bodies).toEqual([{ documentId: "sha256:abc", variables: { n: 1 } }]);
  });
});

describe("the manifest", () => {
  it("has one operation in each document, and no name twice", () => {
    const manifest = JSON.parse(readFileSync("src/gql/persisted-documents.json", "utf8")) as Record<
      string,
      string
    >;
    const names = Object.values(manifest).map((text) => {
      const operations = parse(text).definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
      expect(operations).toHaveLength(1);
      return operations[0]?.name?.value;
    });
    expect(new Set(names).size).toBe(names.length);
  });
});
