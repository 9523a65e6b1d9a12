import type { CombinedError } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { Store } from "../../frame/store";
import { hasState, type Row } from "./row";

export interface Page {
  rows: Row[];
  next: string | null;
  error?: CombinedError;
}

/** How a list is read; each kind of message has its own. */
export interface Source {
  kind: "direct" | "project";
  /** the states that the list is filtered by */
  states: string[];
  newestFirst: boolean;
  page(after: string | null): Promise<Page>;
  /** messages that match the other filters and have changed since */
  changes(since: string): Promise<Page>;
}

export interface FeedState {
  rows: readonly Row[];
  loading: boolean;
  /** whether everything is loaded */
  complete: boolean;
  problem: Problem | null;
  /** how many new messages wait to be shown */
  fresh: number;
}

const OVERLAP_MS = 5_000; // clocks differ, and a change may be committed late

/**
 * A long list that is read page by page, and that learns what has changed.
 *
 * Rows that are shown change in place. New rows are only counted, because inserting them would move what somebody reads.
 */
export class Feed {
  readonly state = new Store<FeedState>({
    rows: [],
    loading: false,
    complete: false,
    problem: null,
    fresh: 0,
  });
  /** where the list was scrolled to */
  offset = 0;
  readonly #source: Source;
  #next: string | null = null;
  #request = 0;
  #since = new Date(Date.now() - OVERLAP_MS).toISOString();
  #looking = false;
  readonly #loadedIds = new Set<string>();
  readonly #fresh = new Set<string>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Loads the first page; the rows stay until it has come. */
  async reload(): Promise<void> {
    this.#next = null;
    this.#since = new Date(Date.now() - OVERLAP_MS).toISOString();
    await this.#load(true);
  }

  async more(): Promise<void> {
    const { loading, complete, problem } = this.state.get();
    if (!loading && !complete && !problem) await this.#load(false);
  }

  async retry(): Promise<void> {
    await this.#load(this.state.get().rows.length === 0);
  }

  async #load(first: boolean): Promise<void> {
    const request = ++this.#request;
    this.#change({ loading: true, problem: null });
    const page = await this.#source.page(first ? null : this.#next);
    if (request !== this.#request) return; // another reload has begun
    if (page.error) {
      this.#change({ loading: false, problem: problemOf(page.error) });
      return;
    }
    if (first) {
      this.#loadedIds.clear();
      this.#fresh.clear();
    }
    const added = page.rows.filter((row) => !this.#loadedIds.has(row.uuid));
    for (const row of added) this.#loadedIds.add(row.uuid);
    this.#next = page.next;
    this.#change({
      rows: first ? added : [...this.state.get().rows, ...added],
      loading: false,
      complete: page.next === null,
      fresh: this.#fresh.size,
    });
  }

  /** Asks what has changed since the last time. */
  async poll(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const requestedAt = new Date(Date.now() - OVERLAP_MS).toISOString();
    try {
      const page = await this.#source.changes(this.#since);
      if (page.error) return;
      this.#since = requestedAt;
      this.take(page.rows);
    } finally {
      this.#looking = false;
    }
  }

  /** Updates the rows that are shown, and counts those that are new. */
  take(changed: readonly Row[]): void {
    const byId = new Map(changed.map((row) => [row.uuid, row]));
    const before = this.state.get().rows;
    const rows = before.map((row) => {
      const newer = byId.get(row.uuid);
      return !newer || newer.updatedAt < row.updatedAt || same(newer, row) ? row : newer;
    });
    const touched = rows.some((row, index) => row !== before[index]);
    const newest = this.#newest();
    for (const row of changed) {
      if (this.#loadedIds.has(row.uuid) || row.at <= newest) continue;
      if (hasState(row, this.#source.states)) this.#fresh.add(row.uuid);
    }
    this.#change({ ...(touched ? { rows } : {}), fresh: this.#fresh.size });
  }

  #newest(): string {
    const { rows } = this.state.get();
    if (!this.#source.newestFirst) return "9999"; // new rows come at the end, by scrolling
    return rows[0]?.at ?? "";
  }

  #change(part: Partial<FeedState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

function same(a: Row, b: Row): boolean {
  return a.updatedAt === b.updatedAt && a.state === b.state;
}
