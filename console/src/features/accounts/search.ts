import type { AccountWhere, EntryKind, LedgerWhere, Plan } from "../../gql/graphql";
import { isLimited, parsePeriod, putPeriod, spanOf, type Period } from "../../frame/period/period";

export const PLANS = ["free", "pro", "enterprise"] as const;
export const KINDS = ["charge", "refund", "credit"] as const;

/** What the list of accounts shows. All of it is in the address. */
export interface Search {
  owner: string | null;
  plan: Plan[];
}

export function parseSearch(params: URLSearchParams): Search {
  const plans = (params.get("plan") ?? "").split(",");
  return { owner: params.get("owner"), plan: PLANS.filter((plan) => plans.includes(plan)) };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.owner) params.set("owner", search.owner);
  if (search.plan.length > 0) params.set("plan", search.plan.join(","));
  return params;
}

export function whereOf(search: Search): AccountWhere {
  return {
    ...(search.owner && { ownerId: { eq: search.owner } }),
    ...(search.plan.length > 0 && { plan: { in: search.plan } }),
  };
}

export function isFiltered(search: Search): boolean {
  return search.owner !== null || search.plan.length > 0;
}

/** What the ledger of an account shows. All of it is in the address. */
export interface LedgerSearch extends Period {
  kind: EntryKind[];
}

export function parseLedger(params: URLSearchParams): LedgerSearch {
  const kinds = (params.get("kind") ?? "").split(",");
  return { kind: KINDS.filter((kind) => kinds.includes(kind)), ...parsePeriod(params) };
}

export function ledgerParams(search: LedgerSearch): URLSearchParams {
  const params = new URLSearchParams();
  if (search.kind.length > 0) params.set("kind", search.kind.join(","));
  putPeriod(params, search);
  return params;
}

/** Returns the filter of the ledger. `now` is the end of a range like "24h". */
export function ledgerWhere(search: LedgerSearch, now: number): LedgerWhere {
  const createdAt = spanOf(search, now);
  return {
    // The charges and refunds of a project are one line, unless one kind of them is looked for.
    ...(search.kind.length > 0 ? { kind: { in: search.kind } } : { grouped: { eq: true } }),
    ...(createdAt && { createdAt }),
  };
}

export function isLedgerFiltered(search: LedgerSearch): boolean {
  return search.kind.length > 0 || isLimited(search);
}
