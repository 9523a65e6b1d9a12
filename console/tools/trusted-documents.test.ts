import { Kind, parse, type DocumentNode } from "graphql";
import { Client, fetchExchange } from "urql";
import { describe, expect, it, vi } from "vitest";
import { manifestOf, replaceDocuments } from "./trusted-documents";

describe("replaceDocuments", () => {
  it("replaces an operation by its id, and leaves fragments out", () => {
    const code =
      "const A = graphql(`\n  query A {\n    me { uuid }\n  }\n`);\nconst F = graphql(`fragment F on User { uuid }`);";
    expect(replaceDocuments(code, new Map([["A", { id: "sha256:abc", text: "" }]]))).toBe(
      'const A = ({ kind: "Document", definitions: [], documentId: "sha256:abc" });\nconst F = undefined;',
    );
  });

  it("refuses an operation that the manifest does not have", () => {
    expect(() => replaceDocuments("graphql(`query B { me { uuid } }`)", new Map())).toThrow("does not have");
  });
});

describe("manifestOf", () => {
  const FRAGMENTS = "graphql(`fragment F on User { ...G }`); graphql(`fragment G on User { uuid }`);";

  it("has each operation with the fragments that it spreads, of all files, once", () => {
    const manifest = manifestOf([
      "graphql(`query A { me { ...F ...G } }`)",
      FRAGMENTS,
      "graphql(`query B { a }`)",
    ]);
    expect(manifest.get("A")?.text).toBe(
      "query A{me{...F ...G}}fragment F on User{...G}fragment G on User{uuid}",
    );
    expect(manifest.get("B")?.text).toBe("query B{a}");
    expect(manifest.get("B")?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(parse(manifest.get("A")?.text ?? "").definitions[0]?.kind).toBe(Kind.OPERATION_DEFINITION);
  });

  it("refuses two operations of one name, one without a name, and a fragment that is missing", () => {
    for (const wrong of ["query A { b }", "{ b }", "query C { ...Missing }"]) {
      expect(() => manifestOf(["graphql(`query A { a }`)", `graphql(\`${wrong}\`)`])).toThrow();
    }
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
    const query = document as unknown as DocumentNode;
    await client.query(query, { n: 1 }).toPromise();
    expect(bodies).toEqual([{ documentId: "sha256:abc", variables: { n: 1 } }]);
  });
});
