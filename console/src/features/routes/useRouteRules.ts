import { usePagedQuery } from "../../frame/list/PagedList";
import type { RouteRulePageQuery } from "../../gql/graphql";
import { RouteRulePage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type RuleRow = NonNullable<RouteRulePageQuery["routeRules"]>["nodes"][number];

/** The rules of a search, page by page. */
export function useRouteRules(search: Search) {
  return usePagedQuery(
    `route-rules?${searchParams(search).toString()}`,
    RouteRulePage,
    (after) => ({ first: PAGE, after, where: whereOf(search) }),
    (data) => data.routeRules,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
