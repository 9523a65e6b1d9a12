import { afterEach, expect, it, vi } from "vitest";
import type { TypedDocumentNode } from "urql";
import { askEarly, fetchOrEarly, forgetEarly } from "./early";

const QUESTION = { documentId: "sha256:1" } as unknown as TypedDocumentNode<{ n: number }, object>;

function body(variables: object, documentId = "sha256:1"): RequestInit {
  return { method: "POST", body: JSON.stringify({ documentId, variables }) };
}

function network(): ReturnType<typeof vi.fn> {
  let count = 0;
  const send = vi.fn(() => Promise.resolve(new Response(JSON.stringify({ data: { n: ++count } }))));
  vi.stubGlobal("fetch", send);
  return send;
}

async function numberIn(answer: Promise<Response>): Promise<number> {
  return ((await (await answer).json()) as { data: { n: number } }).data.n;
}

afterEach(() => {
  forgetEarly();
  vi.unstubAllGlobals();
});

it("gives the early answer to the first request for the same, and to no other", async () => {
  const send = network();
  expect(await askEarly(QUESTION, { a: 1, b: null })).toEqual({ n: 1 });
  expect(await numberIn(fetchOrEarly("/graphql", body({ b: null, a: 1 }, "sha256:2")))).toBe(2);
  expect(await numberIn(fetchOrEarly("/graphql", body({ b: null, a: 2 })))).toBe(3);
  expect(await numberIn(fetchOrEarly("/graphql", body({ b: null, a: 1 })))).toBe(1);
  expect(await numberIn(fetchOrEarly("/graphql", body({ b: null, a: 1 })))).toBe(4);
  expect(send).toHaveBeenCalledTimes(4);
});

it("asks again if nobody answered early", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  expect(await askEarly(QUESTION, {})).toBeNull();
  network();
  expect(await numberIn(fetchOrEarly("/graphql", body({})))).toBe(1);
});

it("gives nobody what was asked for the login before", async () => {
  network();
  await askEarly(QUESTION, {});
  forgetEarly();
  expect(await numberIn(fetchOrEarly("/graphql", body({})))).toBe(2);
});
