import { useCallback } from "react";
import { useClient } from "urql";
import { usePagedList } from "../../frame/list/PagedList";
import type { BlockPageQuery } from "../../gql/graphql";
import { BlockPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type BlockRow = NonNullable<BlockPageQuery["blockedPhones"]>["nodes"][number];

/** The block list for a search, page by page. */
export function useBlocks(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const read = useCallback(
    async (after: string | null) => {
      const { data, error } = await client
        .query(BlockPage, { first: PAGE, after, where: whereOf(search) }, { requestPolicy: "network-only" })
        .toPromise();
      return { page: data?.blockedPhones, error };
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `search`
    [client, key],
  );
  return usePagedList<BlockRow>(`blocks?${key}`, read, { pollMs: POLL_MS, pollWith: "update" });
}
