import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import type { SenderPageQuery } from "../../gql/graphql";
import { SenderPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type SenderRow = NonNullable<SenderPageQuery["sourceAccounts"]>["nodes"][number];

/** The senders of a search, page by page. */
export function useSenders(search: Search) {
  const { isAdmin: admin, may } = useViewer();
  return usePagedQuery(
    `senders?${searchParams(search).toString()}`,
    SenderPage,
    (after) => ({ first: PAGE, after, where: whereOf(search), admin, messengers: may("messengers:read") }),
    (data) => data.sourceAccounts,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
