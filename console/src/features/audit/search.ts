import type { AuditEntryWhere, AuditResult } from "../../gql/graphql";

export const RESULTS = ["done", "refused"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  operation: string;
  object: string;
  result: AuditResult | null;
  mine: boolean;
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    operation: params.get("operation") ?? "",
    object: params.get("object") ?? "",
    result: RESULTS.find((item) => item === params.get("result")) ?? null,
    mine: params.get("by") === "me",
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.operation.trim()) params.set("operation", search.operation.trim());
  if (search.object.trim()) params.set("object", search.object.trim());
  if (search.result) params.set("result", search.result);
  if (search.mine) params.set("by", "me");
  return params;
}

export function whereOf(search: Search, viewer: string): AuditEntryWhere {
  return {
    ...(search.operation.trim() && { operation: { eq: search.operation.trim() } }),
    ...(search.object.trim() && { objectId: { eq: search.object.trim() } }),
    ...(search.result && { result: { eq: search.result } }),
    ...(search.mine && { actorId: { eq: viewer } }),
  };
}

export function isFiltered(search: Search): boolean {
  return searchParams(search).size > 0;
}
