import { usePagedQuery } from "../../frame/list/PagedList";
import type { BlockPageQuery } from "../../gql/graphql";
import { BlockPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type BlockRow = NonNullable<BlockPageQuery["blockedPhones"]>["nodes"][number];

/** The block list for a search, page by page. */
export function useBlocks(search: Search) {
  return usePagedQuery(
    `blocks?${searchParams(search).toString()}`,
    BlockPage,
    (after) => ({ first: PAGE, after, where: whereOf(search) }),
    (data) => data.blockedPhones,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
