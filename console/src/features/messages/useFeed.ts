import { useCallback, useEffect, useMemo } from "react";
import { useClient, useSubscription, type Client } from "urql";
import { useHealed } from "../../frame/api/connection";
import { drawer } from "../../frame/memory";
import { useStore } from "../../frame/store";
import { useThrottled, useVisibleInterval } from "../../frame/ui/useInterval";
import { DirectChanged, DirectPage, RecordPage, RecordsMoved } from "./documents";
import { Feed, type Source } from "./feed";
import { directRow, recordRow } from "./row";
import { directWhere, recordWhere, searchParams, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 15_000;
const AFTER_SIGNAL_MS = 1_000;
const KEPT = 5; // lists that "back" finds as they were

const feeds = drawer<Feed>();

function sourceOf(client: Client, search: Search): Source {
  const opened = Date.now(); // a range like "24h" ends when the list was opened, or pages would not fit together
  const options = { requestPolicy: "network-only" } as const;
  const shared = { kind: search.kind, states: search.status, newestFirst: search.order === "desc" };
  const loose = { ...search, status: [] };
  if (search.kind === "direct") {
    const read = async (
      after: string | null,
      where: ReturnType<typeof directWhere>,
      order = search.order,
    ) => {
      const variables = { first: PAGE, after, where, direction: order };
      const { data, error } = await client.query(DirectPage, variables, options).toPromise();
      const info = data?.messages?.pageInfo;
      return {
        rows: (data?.messages?.nodes ?? []).map(directRow),
        next: info?.hasNextPage ? (info.endCursor ?? null) : null,
        error: data?.messages ? undefined : error,
      };
    };
    return {
      ...shared,
      page: (after) => read(after, directWhere(search, opened)),
      changes: (since) => read(null, { ...directWhere(loose, opened), updatedAt: { gte: since } }, "desc"),
    };
  }
  const read = async (after: string | null, where: ReturnType<typeof recordWhere>, order = search.order) => {
    const variables = { first: PAGE, after, where, direction: order };
    const { data, error } = await client.query(RecordPage, variables, options).toPromise();
    const info = data?.messageRecords?.pageInfo;
    return {
      rows: (data?.messageRecords?.nodes ?? []).map(recordRow),
      next: info?.hasNextPage ? (info.endCursor ?? null) : null,
      error: data?.messageRecords ? undefined : error,
    };
  };
  return {
    ...shared,
    page: (after) => read(after, recordWhere(search, opened)),
    changes: (since) => read(null, { ...recordWhere(loose, opened), updatedAt: { gte: since } }, "desc"),
  };
}

/** The list for a search: kept while the user looks at a message, and live. */
export function useFeed(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const feed = useMemo(() => {
    const cached = feeds.get(key);
    if (cached) return cached;
    const feed = new Feed(sourceOf(client, search));
    feeds.set(key, feed);
    for (const old of [...feeds.keys()].slice(0, -KEPT)) feeds.delete(old);
    return feed;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `search`
  }, [client, key]);
  const state = useStore(feed.state);

  useEffect(() => {
    const { rows, loading } = feed.state.get();
    if (rows.length > 0) void feed.poll();
    else if (!loading) void feed.reload();
  }, [feed]);

  const poll = useCallback(() => void feed.poll(), [feed]);
  const pollSoon = useThrottled(poll, AFTER_SIGNAL_MS);
  useVisibleInterval(poll, POLL_MS);
  useHealed(poll);
  const direct = search.kind === "direct";
  useSubscription({ query: DirectChanged, pause: !direct }, (_before, event) => {
    // A row that is shown changes at once; whether a new one fits the filters, the server decides.
    const row = directRow(event.messageStatusChanged);
    if (feed.state.get().rows.some((item) => item.uuid === row.uuid)) feed.take([row]);
    else pollSoon();
    return event;
  });
  useSubscription({ query: RecordsMoved, pause: direct }, (_before, event) => {
    pollSoon();
    return event;
  });
  return { feed, state };
}
