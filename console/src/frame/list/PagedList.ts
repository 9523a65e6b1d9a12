import { useCallback, useEffect, useMemo } from "react";
import type { CombinedError } from "urql";
import { useHealed } from "../api/connection";
import { problemOf, type Problem } from "../api/errors";
import { drawer } from "../memory";
import { Store, useStore } from "../store";
import { useVisibleInterval } from "../ui/useInterval";

/** One page of a list, as the server answers. */
export interface Page<Row> {
  page:
    | {
        nodes: readonly Row[];
        pageInfo: { hasNextPage: boolean; endCursor?: string | null };
        totalCount?: number;
      }
    | null
    | undefined;
  error: CombinedError | undefined;
}

export interface PagedState<Row> {
  rows: readonly Row[];
  /** the number of all rows; null while it is not known */
  total: number | null;
  loading: boolean;
  /** whether everything is loaded */
  complete: boolean;
  problem: Problem | null;
}

const REFRESHED_PAGES = 4;

/** A long list that is read page by page. Only the first page counts the rows. */
export class PagedList<Row extends { uuid: string }> {
  readonly state = new Store<PagedState<Row>>({
    rows: [],
    total: null,
    loading: false,
    complete: false,
    problem: null,
  });
  /** where the list was scrolled to */
  offset = 0;
  #request = 0;
  #next: string | null = null;
  readonly #read: (after: string | null) => Promise<Page<Row>>;

  constructor(read: (after: string | null) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** Reads the list from its start; the rows stay until then. */
  async reload(): Promise<void> {
    await this.#load(null);
  }

  async more(): Promise<void> {
    const { loading, complete, problem, rows } = this.state.get();
    if (!loading && !complete && !problem && rows.length > 0) await this.#load(this.#next);
  }

  /** Reads the list again, unless somebody has scrolled: new rows would move what is being read. */
  async poll(): Promise<void> {
    if (this.offset <= 0 && !this.state.get().loading) await this.reload();
  }

  /**
   * Reads the rows again that are loaded, but not more than some pages, for a list that is scrolled: rows that have
   * changed are replaced, rows that are gone leave, and new ones wait for `reload`, so that nothing else moves.
   */
  async refresh(): Promise<void> {
    const request = ++this.#request;
    this.#change({ loading: true, problem: null });
    const fresh: Row[] = [];
    let total = this.state.get().total;
    let next: string | null = null;
    for (let pages = 0; pages < REFRESHED_PAGES; pages++) {
      const { page, error } = await this.#read(next);
      if (request !== this.#request) return; // a reload has begun
      if (!page) {
        this.#change({ loading: false, problem: error ? problemOf(error) : null });
        return;
      }
      fresh.push(...page.nodes);
      total = page.totalCount ?? total;
      next = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
      if (next === null || fresh.length >= this.state.get().rows.length) break;
    }
    const rows = refreshed(this.state.get().rows, fresh, next === null);
    this.#change({ rows, total, loading: false });
  }

  async #load(after: string | null): Promise<void> {
    const request = ++this.#request;
    this.#change({ loading: true, problem: null });
    const { page, error } = await this.#read(after);
    if (request !== this.#request) return; // another reload has begun
    if (!page) {
      this.#change({ loading: false, problem: error ? problemOf(error) : null });
      return;
    }
    const before = after === null ? [] : this.state.get().rows;
    const loadedIds = new Set(before.map(({ uuid }) => uuid));
    this.#next = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    const rows = [...before, ...page.nodes.filter(({ uuid }) => !loadedIds.has(uuid))];
    const complete = this.#next === null;
    const total = complete ? rows.length : (page.totalCount ?? this.state.get().total);
    this.#change({ rows, complete, total, loading: false });
  }

  #change(part: Partial<PagedState<Row>>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

/** Replaces rows by those that were read again from the list's start on, `whole`: up to its end. */
export function refreshed<Row extends { uuid: string }>(
  rows: readonly Row[],
  fresh: readonly Row[],
  whole: boolean,
): readonly Row[] {
  const byUuid = new Map(fresh.map((row) => [row.uuid, row]));
  // What stands behind the last row that was read again may still exist.
  const read = whole ? rows.length : rows.findLastIndex(({ uuid }) => byUuid.has(uuid)) + 1;
  return rows.flatMap((row, index) => byUuid.get(row.uuid) ?? (index < read ? [] : row));
}

const POLL_MS = 15_000;
const KEPT = 5; // lists that "back" finds as they were
const lists = drawer<unknown>();

/** The list with this key: kept while the user looks at one of its rows, and read again while its start is in sight. */
export function usePagedList<Row extends { uuid: string }>(
  key: string,
  read: (after: string | null) => Promise<Page<Row>>,
) {
  const list = useMemo(() => {
    const cached = lists.get(key) as PagedList<Row> | undefined;
    const created = cached ?? new PagedList<Row>(read);
    lists.delete(key);
    lists.set(key, created);
    for (const old of [...lists.keys()].slice(0, -KEPT)) lists.delete(old);
    return created;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for what `read` reads
  }, [key]);
  const state = useStore(list.state);
  const poll = useCallback(() => void list.poll(), [list]);
  useEffect(() => {
    if (list.offset > 0 && list.state.get().rows.length > 0) void list.refresh();
    else void list.reload();
  }, [list]);
  useVisibleInterval(poll, POLL_MS);
  useHealed(poll);
  return { list, state, poll };
}
