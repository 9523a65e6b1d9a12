import { useCallback, useEffect } from "react";
import { useClient, useSubscription, type Client } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { useCachedList, type Page } from "../../../frame/list/PagedList";
import { useStore } from "../../../frame/store";
import { useThrottled, useVisibleInterval } from "../../../frame/ui/useInterval";
import { DirectChanged, DirectPage, RecordPage, RecordsMoved } from "../documents";
import { Feed, type Source } from "./feed";
import { directRow, recordRow, type Row } from "./row";
import { directWhere, recordWhere, searchParams, type Search } from "../search";

const PAGE = 100;
const POLL_MS = 15_000;
const AFTER_SIGNAL_MS = 1_000;

function sourceOf(client: Client, search: Search): Source {
  const opened = Date.now(); // a range like "24h" begins a day before the list was opened, or pages would not fit
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
      return { page: pageOf(data?.messages, directRow), error };
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
    return { page: pageOf(data?.messageRecords, recordRow), error };
  };
  return {
    ...shared,
    page: (after) => read(after, recordWhere(search, opened)),
    changes: (since) => read(null, { ...recordWhere(loose, opened), updatedAt: { gte: since } }, "desc"),
  };
}

/** Returns a page of the server with its rows as the list shows them. */
function pageOf<Node>(page: Page<Node>["page"], rowOf: (node: Node) => Row): Page<Row>["page"] {
  return page && { nodes: page.nodes.map(rowOf), pageInfo: page.pageInfo };
}

/** The list for a search: kept while the user looks at a message, and live. */
export function useFeed(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const feed = useCachedList(`messages?${key}`, () => new Feed(sourceOf(client, search)));
  const state = useStore(feed.state);
  const fresh = useStore(feed.fresh);

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
  return { feed, state, fresh };
}
