import { useCallback, useEffect, useState } from "react";
import { useClient, useSubscription } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useViewer } from "../../../frame/session";
import { useThrottled, useVisibleInterval } from "../../../frame/ui/useInterval";
import type { MessengerAccountCountsQuery, MessengerAccountPageQuery } from "../../../gql/graphql";
import { MessengerAccountCounts, MessengerAccountPage, MessengerAccountsMoved } from "../documents";
import { searchParams, whereOf, type Search } from "../search";

const POLL_MS = 30_000;
const AFTER_CHANGE_MS = 1_000;

export type AccountRow = NonNullable<MessengerAccountPageQuery["messengerAccounts"]>["nodes"][number];

/** The accounts that a search finds, page by page. A row changes at once with its account's state. */
export function useAccounts(search: Search) {
  const client = useClient();
  const admin = useViewer().isAdmin;
  const key = searchParams(search).toString();
  const [counts, setCounts] = useState<MessengerAccountCountsQuery>();
  const { list, state, poll } = usePagedQuery(
    `messengers?${key}&${admin}`,
    MessengerAccountPage,
    (after) => ({ after, where: whereOf(search), admin }),
    (data) => data.messengerAccounts,
    { pollMs: POLL_MS, pollWith: "update" },
  );
  const count = useCallback(async () => {
    const { data } = await client
      .query(MessengerAccountCounts, {}, { requestPolicy: "network-only" })
      .toPromise();
    if (data) setCounts(data);
  }, [client]);
  const countNow = useCallback(() => void count(), [count]);
  useEffect(countNow, [countNow, key]);
  useVisibleInterval(countNow, POLL_MS);
  useHealed(countNow);
  const updateSoon = useThrottled(
    useCallback(() => {
      poll();
      countNow();
    }, [poll, countNow]),
    AFTER_CHANGE_MS,
  );
  useSubscription({ query: MessengerAccountsMoved }, (_before, event) => {
    const changed = event.messengerAccountChanged.account;
    const shown = list.state.get().rows.find(({ uuid }) => uuid === changed.uuid);
    // The subscription begins with all accounts as they are: only a change is news.
    if (shown?.state !== changed.state || shown.name !== changed.name) updateSoon();
    if (shown && Date.parse(changed.updatedAt) >= Date.parse(shown.updatedAt)) {
      list.replace({ ...shown, ...changed });
    }
    return event;
  });
  return { list, state, counts };
}
