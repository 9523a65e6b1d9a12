import type { FeedStateQuery, WatchEventsSubscription } from "../../../gql/graphql";

export type Seen = WatchEventsSubscription["events"];
export type Feed = NonNullable<FeedStateQuery["eventFeed"]>;

const MAX_EVENTS = 300; // events that the page keeps
const MAX_SEEN = 10_000; // ids of events that were shown, also of those that were cleared away
const FEW = 200; // so many events of the feed are shown from its beginning

/** Returns where to begin: a small feed is shown as a whole, a large one from now on. */
export function beginning(feed: Feed): string {
  return feed.count <= FEW ? feed.oldest : feed.newest;
}

/** Adds an event to a list, newest first: events of types that were hidden come later than they happened. */
export function withEvent(list: readonly Seen[], event: Seen): readonly Seen[] {
  const at = Date.parse(event.at);
  const index = list.findIndex((other) => Date.parse(other.at) <= at);
  const position = index < 0 ? list.length : index;
  return [...list.slice(0, position), event, ...list.slice(position)].slice(0, MAX_EVENTS);
}

/** How far the feed was read. The server sends some events again, so each event is new only once. */
export class Progress {
  /** up to here events of every type were read */
  #complete: string;
  /** up to here events of these types were read */
  #partial: { types: string; cursor: string } | null = null;
  readonly #seenIds = new Set<string>();

  constructor(after: string) {
    this.#complete = after;
  }

  /** Returns the cursor from which on events of these types are to be read; "" stands for all types. */
  after(types: string): string {
    return types && this.#partial?.types === types ? this.#partial.cursor : this.#complete;
  }

  /** Remembers an event of a watch with these types. Returns whether it is new. */
  take(types: string, { uuid, cursor }: Seen): boolean {
    if (types) this.#partial = { types, cursor };
    else {
      this.#complete = cursor;
      this.#partial = null;
    }
    if (this.#seenIds.has(uuid)) return false;
    this.#seenIds.add(uuid);
    for (const oldest of this.#seenIds) {
      if (this.#seenIds.size <= MAX_SEEN) break;
      this.#seenIds.delete(oldest);
    }
    return true;
  }
}

/** Reads the types of events in an address. */
export function typesOf(params: URLSearchParams): string[] {
  return (params.get("types") ?? "").split(",").filter(Boolean);
}
