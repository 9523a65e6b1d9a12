import { PagedList, type Page } from "../../../frame/list/PagedList";
import { Store } from "../../../frame/store";
import { hasState, type Row } from "./row";

/** How a list is read; each kind of message has its own. */
export interface Source {
  kind: "direct" | "project";
  /** the states that the list is filtered by */
  states: string[];
  newestFirst: boolean;
  page(after: string | null): Promise<Page<Row>>;
  /** messages that match the other filters and have changed since */
  changes(since: string): Promise<Page<Row>>;
}

const OVERLAP_MS = 5_000; // clocks differ, and a change may be committed late

/**
 * A list of messages that learns what has changed.
 *
 * Rows that are shown change in place. New rows are only counted, because inserting them would move what somebody reads.
 */
export class Feed extends PagedList<Row> {
  /** how many new messages wait to be shown */
  readonly fresh = new Store(0);
  readonly #source: Source;
  #since = recently();
  #polling = false;
  readonly #freshIds = new Set<string>();

  constructor(source: Source) {
    super((after) => source.page(after));
    this.#source = source;
  }

  override async reload(): Promise<void> {
    this.#since = recently();
    await super.reload();
  }

  /** Requests what has changed since the last time. */
  override async poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    const requestedAt = recently();
    try {
      const { page } = await this.#source.changes(this.#since);
      if (!page) return;
      this.#since = requestedAt;
      this.take(page.nodes);
    } finally {
      this.#polling = false;
    }
  }

  /** Updates the rows that are shown, and counts those that are new. */
  take(changed: readonly Row[]): void {
    const changedById = new Map(changed.map((row) => [row.uuid, row]));
    const before = this.state.get().rows;
    const rows = before.map((row) => {
      const newer = changedById.get(row.uuid);
      return !newer || newer.updatedAt < row.updatedAt || same(newer, row) ? row : newer;
    });
    if (rows.some((row, index) => row !== before[index])) this.change({ rows });
    const loadedIds = new Set(before.map(({ uuid }) => uuid));
    const newest = this.#newest();
    for (const row of changed) {
      if (loadedIds.has(row.uuid) || row.at <= newest) continue;
      if (hasState(row, this.#source.states)) this.#freshIds.add(row.uuid);
    }
    this.fresh.set(this.#freshIds.size);
  }

  protected override started(): void {
    this.#freshIds.clear();
    this.fresh.set(0);
  }

  #newest(): string {
    const { rows } = this.state.get();
    if (!this.#source.newestFirst) return "9999"; // new rows come at the end, by scrolling
    return rows[0]?.at ?? "";
  }
}

/** Returns the time from which on changes are requested. */
function recently(): string {
  return new Date(Date.now() - OVERLAP_MS).toISOString();
}

function same(a: Row, b: Row): boolean {
  return a.updatedAt === b.updatedAt && a.state === b.state;
}
