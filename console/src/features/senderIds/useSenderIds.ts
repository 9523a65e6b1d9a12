import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import type { SenderIdPageQuery } from "../../gql/graphql";
import { SenderIdPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type SenderIdRow = NonNullable<SenderIdPageQuery["senders"]>["nodes"][number];

/** The senders of a search, page by page. */
export function useSenderIds(search: Search) {
  const { isAdmin: admin } = useViewer();
  return usePagedQuery(
    `sender-ids?${searchParams(search).toString()}`,
    SenderIdPage,
    (after) => ({ first: PAGE, after, where: whereOf(search), admin }),
    (data) => data.senders,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
