import { parsePeriod, putPeriod, spanOf, type Period } from "../../frame/period/period";
import type { AuditEntryWhere, AuditResult } from "../../gql/graphql";

/** Stands for the viewer in the address, which another viewer may open. */
export const ME = "me";
export const RESULTS = ["done", "refused"] as const;

/** What the list shows. All of it is in the address. */
export interface Search extends Period {
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
    ...parsePeriod(params),
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.operation.trim()) params.set("operation", search.operation.trim());
  if (search.object.trim()) params.set("object", search.object.trim());
  if (search.result) params.set("result", search.result);
  if (search.by) params.set("by", search.by);
  putPeriod(params, search);
  return params;
}

/** Returns the filter of the list. `now` is the end of a range like "24h". */
export function whereOf(search: Search, viewer: string, now: number): AuditEntryWhere {
  const createdAt = spanOf(search, now);
  return {
    ...(search.operation.trim() && { operation: { eq: search.operation.trim() } }),
    ...(search.object.trim() && { objectId: { eq: search.object.trim() } }),
    ...(search.result && { result: { eq: search.result } }),
    ...(search.by && { actorId: { eq: search.by === ME ? viewer : search.by } }),
    ...(createdAt && { createdAt }),
  };
}

/** Returns the same filter as an export of the audit has it. */
export function exportFilters(search: Search, viewer: string, now: number): Record<string, string> {
  const { createdAt, ...where } = whereOf(search, viewer, now);
  const equal = Object.entries(where).map(([name, value]) => [name, value?.eq]);
  const times = [
    ["dateFrom", createdAt?.gte],
    ["dateTo", createdAt?.lt],
  ];
  return Object.fromEntries([...equal, ...times].filter(([, value]) => value)) as Record<string, string>;
}

export function isFiltered(search: Search): boolean {
  return searchParams(search).size > 0;
}
