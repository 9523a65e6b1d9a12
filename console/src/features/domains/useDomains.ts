import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import type { DomainPageQuery } from "../../gql/graphql";
import { DomainPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type DomainRow = NonNullable<DomainPageQuery["domains"]>["nodes"][number];

/** The domains of a search, page by page. */
export function useDomains(search: Search) {
  const { isAdmin: admin } = useViewer();
  return usePagedQuery(
    `domains?${searchParams(search).toString()}`,
    DomainPage,
    (after) => ({ first: PAGE, after, where: whereOf(search), admin }),
    (data) => data.domains,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
