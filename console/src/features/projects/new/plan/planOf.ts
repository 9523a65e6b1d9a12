import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import type { Draft } from "../draft";
import { rateOf } from "./plan";

/** Returns the most messages a minute of this draft; null: no limit, or not known yet. */
export function rateFor(draft: Draft, choices: ProjectChoicesQuery | undefined): number | null {
  const tariff = choices?.tariff;
  if (!tariff) return null;
  return rateOf({
    perMinute: draft.speed.perMinute ?? null,
    perAccountPerMinute: draft.speed.perAccountPerMinute ?? null,
    senders: draft.accountUuids.length,
    tariffPerMinute: tariff.messagesPerMinute,
  });
}

/** Returns the account that pays: the chosen one, or the oldest. */
export function payerOf(draft: Draft, choices: ProjectChoicesQuery | undefined) {
  const accounts = choices?.accounts?.nodes ?? [];
  return accounts.find(({ uuid }) => uuid === draft.accountId) ?? accounts.at(-1) ?? null;
}
