import { useState } from "react";
import type { OperationContext } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "../../frame/api/client";

/** An idempotency key for each content: a request that is repeated after a lost answer has the key of the first one. */
export class ContentKey {
  #kept: { content: string; key: string } | null = null;

  /** Returns the context of a request with this content. */
  of(content: unknown): Partial<OperationContext> {
    const text = JSON.stringify(content);
    if (this.#kept?.content !== text) this.#kept = { content: text, key: newIdempotencyKey() };
    return withIdempotencyKey(this.#kept.key);
  }

  /** Forgets the key after a success, so that the next request does its work even if its content is the same. */
  renew(): void {
    this.#kept = null;
  }
}

export function useContentKey(): ContentKey {
  const [made] = useState(() => new ContentKey());
  return made;
}
