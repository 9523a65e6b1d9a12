import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { useHealed } from "../../frame/api/connection";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { BlockPageQuery } from "../../gql/graphql";
import { BlockPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;

export type BlockRow = NonNullable<BlockPageQuery["blockedPhones"]>["nodes"][number];

interface State {
  rows: BlockRow[];
  next: string | null;
  total: number | null;
  problem: Problem | null;
  loading: boolean;
}

/** The block list for a search, page by page. The rows stay while others are loaded. */
export function useBlocks(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const [state, setState] = useState<State>({
    rows: [],
    next: null,
    total: null,
    problem: null,
    loading: true,
  });
  const latestRequest = useRef(0);

  const load = useCallback(
    async (after: string | null, before: BlockRow[]) => {
      const request = ++latestRequest.current;
      setState((now) => ({ ...now, loading: true, problem: null }));
      const { data, error } = await client
        .query(BlockPage, { first: PAGE, after, where: whereOf(search) }, { requestPolicy: "network-only" })
        .toPromise();
      if (request !== latestRequest.current) return;
      const page = data?.blockedPhones;
      if (!page) {
        setState((now) => ({ ...now, loading: false, problem: error ? problemOf(error) : null }));
        return;
      }
      const loadedIds = new Set(before.map(({ uuid }) => uuid));
      setState({
        rows: [...before, ...page.nodes.filter(({ uuid }) => !loadedIds.has(uuid))],
        next: page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
        total: page.totalCount,
        problem: null,
        loading: false,
      });
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `search`
    [client, key],
  );
  const reload = useCallback(() => void load(null, []), [load]);
  useEffect(reload, [reload]);
  useHealed(reload);
  // Somebody who has scrolled on is not sent back to the first page.
  useVisibleInterval(() => {
    if (state.rows.length <= PAGE) reload();
  }, POLL_MS);
  return { ...state, reload, more: () => void load(state.next, state.rows) };
}
