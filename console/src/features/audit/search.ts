import type { AuditEntryWhere, AuditResult } from "../../gql/graphql";

/** Stands for the viewer in the address, which another viewer may open. */
export const ME = "me";
export const RESULTS = ["done", "refused"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  operation: string;
  object: string;
  result: AuditResult | null;
  /** a user who did it; ME: the viewer */
  by: string | null;
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    operation: params.get("operation") ?? "",
    object: params.get("object") ?? "",
    result: RESULTS.find((item) => item === params.get("result")) ?? null,
    by: params.get("by"),
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.operation.trim()) params.set("operation", search.operation.trim());
  if (search.object.trim()) params.set("object", search.object.trim());
  if (search.result) params.set("result", search.result);
  if (search.by) params.set("by", search.by);
  return params;
}

export function whereOf(search: Search, viewer: string): AuditEntryWhere {
  return {
    ...(search.operation.trim() && { operation: { eq: search.operation.trim() } }),
    ...(search.object.trim() && { objectId: { eq: search.object.trim() } }),
    ...(search.result && { result: { eq: search.result } }),
    ...(search.by && { actorId: { eq: search.by === ME ? viewer : search.by } }),
  };
}

export function isFiltered(search: Search): boolean {
  return searchParams(search).size > 0;
}
