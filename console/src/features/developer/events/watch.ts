import type { FeedStateQuery, WatchEventsSubscription } from "../../../gql/graphql";

export type Seen = WatchEventsSubscription["events"];
export type Feed = NonNullable<FeedStateQuery["eventFeed"]>;

const MOST = 300; // events that the page keeps
const KNOWN = 10_000; // ids of events that were shown, also of those that were cleared away
const FEW = 200; // so many events of the feed are shown from its beginning

/** Returns where to begin: a small feed is shown as a whole, a large one from now on. */
export function beginning(feed: Feed): string {
  return feed.count <= FEW ? feed.oldest : feed.newest;
}

/** Adds an event to a list, newest first: events of types that were hidden come later than they happened. */
export function withEvent(list: readonly Seen[], event: Seen): readonly Seen[] {
  const at = Date.parse(event.at);
  const index = list.findIndex((other) => Date.parse(other.at) <= at);
  const place = index < 0 ? list.length : index;
  return [...list.slice(0, place), event, ...list.slice(place)].slice(0, MOST);
}

/** How far the feed was read. The server tells some events again, so each event is new only once. */
export class Progress {
  /** up to here events of every type were read */
  #complete: string;
  /** up to here events of these types were read */
  #partial: { types: string; cursor: string } | null = null;
  readonly #known = new Set<string>();

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
    if (this.#known.has(uuid)) return false;
    this.#known.add(uuid);
    for (const oldest of this.#known) {
      if (this.#known.size <= KNOWN) break;
      this.#known.delete(oldest);
    }
    return true;
  }
}

/** Reads the types of events in an address. */
export function typesOf(params: URLSearchParams): string[] {
  return (params.get("types") ?? "").split(",").filter(Boolean);
}
