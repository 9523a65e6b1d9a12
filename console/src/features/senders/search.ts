import type { SenderStatus, SourceAccountWhere } from "../../gql/graphql";

/** A sender that was deleted is in no list. */
export const STATES = ["connected", "disconnected", "blocked"] as const satisfies readonly SenderStatus[];

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  status: (typeof STATES)[number][];
}

export function parseSearch(params: URLSearchParams): Search {
  const states = (params.get("status") ?? "").split(",");
  return { text: params.get("q") ?? "", status: STATES.filter((item) => states.includes(item)) };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.text.trim()) params.set("q", search.text.trim());
  if (search.status.length > 0) params.set("status", search.status.join(","));
  return params;
}

export function whereOf(search: Search): SourceAccountWhere {
  const text = search.text.trim();
  return {
    ...(text && { text: { contains: text } }),
    ...(search.status.length > 0 && { status: { in: search.status } }),
  };
}

export function isFiltered(search: Search): boolean {
  return Boolean(search.text.trim()) || search.status.length > 0;
}
