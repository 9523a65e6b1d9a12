import type { FeedStateQuery, WatchEventsSubscription } from "../../../gql/graphql";

export type Seen = WatchEventsSubscription["events"];
export type Feed = NonNullable<FeedStateQuery["eventFeed"]>;

const MOST = 300; // events that the page keeps
const FEW = 200; // so many events of the feed are shown from its beginning

/** Returns where to begin: a small feed is shown as a whole, a large one from now on. */
export function beginning(feed: Feed): string {
  return feed.count <= FEW ? feed.oldest : feed.newest;
}

/** Adds an event to a list, newest first. After a lost connection the server tells some events again. */
export function withEvent(list: readonly Seen[], event: Seen): readonly Seen[] {
  if (list.some(({ uuid }) => uuid === event.uuid)) return list;
  return [event, ...list].slice(0, MOST);
}

/** Reads the types of events in an address. */
export function typesOf(params: URLSearchParams): string[] {
  return (params.get("types") ?? "").split(",").filter(Boolean);
}
