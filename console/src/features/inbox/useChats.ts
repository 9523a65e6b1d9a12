import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { useHealed } from "../../frame/api/connection";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { InboxPageOfChats } from "./documents";
import { withFirstPage, withRow, type Chat, type ChatRow, type Message } from "./model";
import { fits, searchParams, whereOf, type Search } from "./search";

const PAGE = 30;
const POLL_MS = 30_000;

interface State {
  /** the search that the rows belong to */
  key: string;
  rows: ChatRow[];
  next: string | null;
  loading: boolean;
  problem: Problem | null;
}

/** The chats of a search, page by page and live. */
export function useChats(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const [state, setState] = useState<State>({ key, rows: [], next: null, loading: true, problem: null });
  const latestRequest = useRef(0);
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });

  const read = useCallback(
    async (after: string | null) => {
      const request = ++latestRequest.current;
      const requested = latest.current;
      const { data, error } = await client
        .query(
          InboxPageOfChats,
          { first: PAGE, after, account: requested.account, where: whereOf(requested) },
          { requestPolicy: "network-only" },
        )
        .toPromise();
      if (request !== latestRequest.current) return;
      const page = data?.messengerChats;
      const requestedKey = searchParams(requested).toString();
      setState((before) => {
        if (!page) return { ...before, loading: false, problem: error ? problemOf(error) : null };
        const rows = page.nodes.map(({ messages, ...chat }) => ({ chat, last: messages?.nodes[0] ?? null }));
        const loaded = before.key === requestedKey ? before.rows : [];
        const end = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
        const first = after === null;
        // Looking again at the first page does not lose the place in the list.
        const next = first && loaded.length > PAGE ? before.next : end;
        return {
          key: requestedKey,
          rows: first
            ? withFirstPage(loaded, rows, end === null)
            : rows.reduce((all, row) => withRow(all, row, true), loaded),
          next,
          loading: false,
          problem: null,
        };
      });
    },
    [client],
  );

  useEffect(() => {
    setState((before) => ({ ...before, loading: true }));
    void read(null);
  }, [read, key]);
  const poll = useCallback(() => void read(null), [read]);
  useVisibleInterval(poll, POLL_MS);
  useHealed(poll);

  /** A chat that has changed, with one of its messages. `open`: it stays in the list even if the filter excludes it. */
  const take = useCallback((chat: Chat, message: Message | null, open: boolean) => {
    setState((before) => {
      const shown = before.rows.some((row) => row.chat.uuid === chat.uuid);
      const belongs = fits(latest.current, chat);
      if (shown && !belongs && !open) {
        return { ...before, rows: before.rows.filter((row) => row.chat.uuid !== chat.uuid) };
      }
      return { ...before, rows: withRow(before.rows, { chat, last: message }, belongs) };
    });
  }, []);

  const markRead = useCallback((uuid: string) => {
    setState((before) => ({
      ...before,
      rows: before.rows.map((row) =>
        row.chat.uuid === uuid ? { ...row, chat: { ...row.chat, unread: 0 } } : row,
      ),
    }));
  }, []);

  const current = state.key === key;
  return {
    rows: current ? state.rows : [],
    next: current ? state.next : null,
    loading: state.loading || !current,
    problem: state.problem,
    reload: poll,
    more: () => {
      setState((before) => ({ ...before, loading: true }));
      void read(state.next);
    },
    take,
    markRead,
  };
}
