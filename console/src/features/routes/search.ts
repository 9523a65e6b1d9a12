import type { RouteRuleWhere } from "../../gql/graphql";

/** The rules that the table shows. It is in the address. */
export interface Search {
  /** the names of routes; none: all rules */
  route: readonly string[];
}

export function parseSearch(params: URLSearchParams): Search {
  return { route: params.getAll("route").filter(Boolean) };
}

export function searchParams({ route }: Search): URLSearchParams {
  return new URLSearchParams(route.map((name) => ["route", name]));
}

export function whereOf({ route }: Search): RouteRuleWhere {
  return route.length > 0 ? { route: { in: [...route] } } : {};
}
