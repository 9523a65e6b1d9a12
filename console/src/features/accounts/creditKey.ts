import { newIdempotencyKey } from "../../frame/api/client";

export interface Credit {
  accountId: string;
  amount: string;
  note?: string;
}

/**
 * The idempotency key of a credit. The same credit keeps its key, so trying again after a lost answer books nothing
 * twice, even if the question was closed in between. Another amount or reason is another credit, with its own key.
 */
export class CreditKey {
  #content = "";
  #key = "";

  of(credit: Credit): string {
    const content = JSON.stringify([credit.accountId, credit.amount, credit.note ?? ""]);
    if (content !== this.#content) [this.#content, this.#key] = [content, newIdempotencyKey()];
    return this.#key;
  }

  /** The credit is booked: the next one like it is meant. */
  booked(): void {
    this.#content = "";
  }
}
