import { useCallback, useEffect, useRef, useState } from "react";
import { useClient, useSubscription } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useViewer } from "../../../frame/session";
import { useThrottled, useVisibleInterval } from "../../../frame/ui/useInterval";
import type { MessengerAccountCountsQuery, MessengerAccountPageQuery } from "../../../gql/graphql";
import { MessengerAccountCounts, MessengerAccountPage, MessengerAccountsMoved } from "../documents";
import { searchParams, whereOf, type Search } from "../search";

const PAGE = 100;
const POLL_MS = 30_000;
const AFTER_CHANGE_MS = 1_000;

export type AccountRow = NonNullable<MessengerAccountPageQuery["messengerAccounts"]>["nodes"][number];

interface State {
  rows: AccountRow[];
  next: string | null;
  total: number | null;
  problem: Problem | null;
  loading: boolean;
}

const BEGIN: State = { rows: [], next: null, total: null, problem: null, loading: true };

/** The accounts that a search finds, page by page. A row changes at once with its account's state. */
export function useAccounts(search: Search) {
  const client = useClient();
  const admin = useViewer().isAdmin;
  const key = searchParams(search).toString();
  const [state, setState] = useState<State>(BEGIN);
  const [counts, setCounts] = useState<MessengerAccountCountsQuery>();
  const latestRequest = useRef(0);

  const load = useCallback(
    async (after: string | null, before: AccountRow[]) => {
      const request = ++latestRequest.current;
      setState((now) => ({ ...now, loading: true, problem: null }));
      const { data, error } = await client
        .query(
          MessengerAccountPage,
          { after, where: whereOf(search), admin },
          { requestPolicy: "network-only" },
        )
        .toPromise();
      if (request !== latestRequest.current) return;
      const page = data?.messengerAccounts;
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
    [client, key, admin],
  );
  const count = useCallback(async () => {
    const { data } = await client
      .query(MessengerAccountCounts, {}, { requestPolicy: "network-only" })
      .toPromise();
    if (data) setCounts(data);
  }, [client]);
  const reload = useCallback(() => {
    void load(null, []);
    void count();
  }, [load, count]);
  useEffect(reload, [reload]);
  useHealed(reload);

  // Somebody who has scrolled on is not sent back to the first page; the numbers are always the present ones.
  const refresh = () => {
    if (state.rows.length <= PAGE) reload();
    else void count();
  };
  const refreshSoon = useThrottled(refresh, AFTER_CHANGE_MS);
  useVisibleInterval(refresh, POLL_MS);
  useSubscription({ query: MessengerAccountsMoved }, (_before, event) => {
    const changed = event.messengerAccountChanged.account;
    const shown = state.rows.find(({ uuid }) => uuid === changed.uuid);
    // The subscription begins with all accounts as they are: only a change is news.
    if (shown?.state !== changed.state || shown.name !== changed.name) refreshSoon();
    setState((now) => ({
      ...now,
      rows: now.rows.map((row) =>
        row.uuid === changed.uuid && changed.updatedAt >= row.updatedAt ? { ...row, ...changed } : row,
      ),
    }));
    return event;
  });
  return { ...state, counts, reload, more: () => void load(state.next, state.rows) };
}
