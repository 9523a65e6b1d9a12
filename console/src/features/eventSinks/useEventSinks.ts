import { usePagedQuery } from "../../frame/list/PagedList";
import type { EventSinkPageQuery } from "../../gql/graphql";
import { EventSinkPage } from "./documents";

const PAGE = 50;
const POLL_MS = 5_000;

export type SinkRow = NonNullable<EventSinkPageQuery["eventSinks"]>["nodes"][number];

/** The sinks that the person may see, page by page. `owner`: with the users whose sinks they are. */
export function useEventSinks(owner: boolean) {
  return usePagedQuery(
    `event-sinks?${owner}`,
    EventSinkPage,
    (after) => ({ first: PAGE, after, owner }),
    (data) => data.eventSinks,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
