import { describe, expect, it } from "vitest";
import { ContentKey } from "./ContentKey";

function keyOf(keys: ContentKey, content: unknown): string | null {
  const { fetchOptions } = keys.of(content);
  return new Headers((fetchOptions as RequestInit).headers).get("Idempotency-Key");
}

describe("the idempotency key of a content", () => {
  it("is the same for the same content until it has succeeded", () => {
    const keys = new ContentKey();
    const first = keyOf(keys, { id: 1 });
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf(keys, { id: 1 })).toBe(first);
    keys.renew();
    expect(keyOf(keys, { id: 1 })).not.toBe(first);
  });
  it("is another one for another content", () => {
    const keys = new ContentKey();
    expect(keyOf(keys, { id: 1 })).not.toBe(keyOf(keys, { id: 2 }));
    expect(keyOf(keys, { id: 2 })).not.toBe(keyOf(keys, { id: 2, note: "again" }));
  });
});
