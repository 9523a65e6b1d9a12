import { plainPhone } from "../../frame/values/phone";
import type { BlockedPhoneWhere, BlockReason, BlockScope } from "../../gql/graphql";

export const REASONS = ["manual", "optOut", "hardBounce", "softBounce", "complaint", "unsubscribed"] as const;
export const SCOPES = ["all", "promotional"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  reason: BlockReason[];
  scope: BlockScope | null;
}

export function parseSearch(params: URLSearchParams): Search {
  const reasons = (params.get("reason") ?? "").split(",");
  return {
    text: params.get("q") ?? "",
    reason: REASONS.filter((item) => reasons.includes(item)),
    scope: SCOPES.find((item) => item === params.get("scope")) ?? null,
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.text.trim()) params.set("q", search.text.trim());
  if (search.reason.length > 0) params.set("reason", search.reason.join(","));
  if (search.scope) params.set("scope", search.scope);
  return params;
}

export function whereOf(search: Search): BlockedPhoneWhere {
  // Phones are stored without spaces, so the search does without them too.
  const text = plainPhone(search.text).toLowerCase();
  return {
    ...(text && { text: { contains: text } }),
    ...(search.reason.length > 0 && { reason: { in: search.reason } }),
    ...(search.scope && { scope: { eq: search.scope } }),
  };
}

export function isFiltered(search: Search): boolean {
  return Boolean(search.text.trim()) || search.reason.length > 0 || search.scope !== null;
}
