import { useState } from "react";
import type { OperationContext } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "./client";

/** An idempotency key for each content: a request that is repeated after a lost answer has the key of the first one. */
export class ContentKey {
  #current: { content: string; key: string } | null = null;

  /** Returns the key of a request with this content. */
  keyOf(content: unknown): string {
    const text = JSON.stringify(content);
    if (this.#current?.content !== text) this.#current = { content: text, key: newIdempotencyKey() };
    return this.#current.key;
  }

  /** Returns the context of a request with this content. */
  of(content: unknown): Partial<OperationContext> {
    return withIdempotencyKey(this.keyOf(content));
  }

  /** Forgets the key after a success, so that the next request does its work even if its content is the same. */
  renew(): void {
    this.#current = null;
  }
}

export function useContentKey(): ContentKey {
  const [made] = useState(() => new ContentKey());
  return made;
}
