import { useCallback, useEffect, useMemo } from "react";
import { useClient, type AnyVariables, type CombinedError, type TypedDocumentNode } from "urql";
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
  #pages = 0;
  /** what is done after the request that is under way */
  #afterwards: (() => Promise<void>) | null = null;
  /** what is repeated after a failure */
  #latest = () => this.reload();
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

  /** Repeats what has failed. */
  async retry(): Promise<void> {
    await this.#latest();
  }

  /** Replaces the row with the same id; returns whether the list has it. */
  replace(row: Row): boolean {
    const { rows } = this.state.get();
    const index = rows.findIndex(({ uuid }) => uuid === row.uuid);
    if (index >= 0) this.change({ rows: rows.with(index, row) });
    return index >= 0;
  }

  /** Removes the row with this id; returns whether the list had it. */
  remove(uuid: string): boolean {
    const { rows } = this.state.get();
    const left = rows.filter((row) => row.uuid !== uuid);
    if (left.length < rows.length) this.change({ rows: left });
    return left.length < rows.length;
  }

  /** Reads the list again: from its start or, if somebody has scrolled, only what is loaded. */
  async sync(): Promise<void> {
    if (this.#isPutOff(() => this.sync())) return;
    if (this.offset > 0 && this.state.get().rows.length > 0) await this.refresh();
    else await this.reload();
  }

  /** Reads a list again that has a button for its next page: from its start or, after the button, only what is loaded. */
  async update(): Promise<void> {
    if (this.#isPutOff(() => this.update())) return;
    if (this.#pages > 1) await this.refresh();
    else await this.reload();
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
    this.#latest = () => this.refresh();
    this.change({ loading: true, problem: null });
    const fresh: Row[] = [];
    let total = this.state.get().total;
    let next: string | null = null;
    for (let pages = 0; pages < REFRESHED_PAGES; pages++) {
      const { page, error } = await this.#read(next);
      if (request !== this.#request) return; // a reload has begun
      if (!page) {
        this.change({ loading: false, problem: error ? problemOf(error) : null });
        return;
      }
      fresh.push(...page.nodes);
      total = page.totalCount ?? total;
      next = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
      if (next === null || fresh.length >= this.state.get().rows.length) break;
    }
    const rows = refreshed(this.state.get().rows, fresh, next === null);
    this.change({ rows, total, loading: false });
    await this.#ended();
  }

  async #load(after: string | null): Promise<void> {
    const request = ++this.#request;
    this.#latest = () => (after === null ? this.reload() : this.#load(after));
    this.change({ loading: true, problem: null });
    const { page, error } = await this.#read(after);
    if (request !== this.#request) return; // another reload has begun
    if (!page) {
      this.change({ loading: false, problem: error ? problemOf(error) : null });
      return;
    }
    if (after === null) this.started();
    this.#pages = after === null ? 1 : this.#pages + 1;
    const before = after === null ? [] : this.state.get().rows;
    const loadedIds = new Set(before.map(({ uuid }) => uuid));
    this.#next = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    const rows = [...before, ...page.nodes.filter(({ uuid }) => !loadedIds.has(uuid))];
    const complete = this.#next === null;
    const total = complete ? rows.length : (page.totalCount ?? this.state.get().total);
    this.change({ rows, complete, total, loading: false });
    await this.#ended();
  }

  /** A request that is under way is not thrown away: what would replace it comes after it. */
  #isPutOff(action: () => Promise<void>): boolean {
    const { loading } = this.state.get();
    if (loading) this.#afterwards = action;
    return loading;
  }

  async #ended(): Promise<void> {
    const action = this.#afterwards;
    this.#afterwards = null;
    await action?.();
  }

  /** Is called when the first page is there, before its rows are shown. */
  protected started(): void {}

  protected change(part: Partial<PagedState<Row>>): void {
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
const CACHED = 10; // lists that "back" finds as they were
const lists = drawer<unknown>();

/** Returns the list with this key, which is kept while the user looks at one of its rows. */
export function useCachedList<List>(key: string, create: () => List): List {
  return useMemo(() => {
    // Each kind of list has a prefix of its own in its keys, so what is cached is of this type.
    const list = (lists.get(key) as List | undefined) ?? create();
    lists.delete(key);
    lists.set(key, list);
    for (const old of [...lists.keys()].slice(0, -CACHED)) lists.delete(old);
    return list;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for what `create` reads
  }, [key]);
}

interface Options {
  pollMs?: number;
  /** how the list is read again; `poll` leaves it alone while it is scrolled */
  pollWith?: "poll" | "sync" | "update";
}

/** The list with this key, which is read again from time to time. */
export function usePagedList<Row extends { uuid: string }>(
  key: string,
  read: (after: string | null) => Promise<Page<Row>>,
  { pollMs = POLL_MS, pollWith = "poll" }: Options = {},
) {
  const list = useCachedList(key, () => new PagedList<Row>(read));
  const state = useStore(list.state);
  const poll = useCallback(() => void list[pollWith](), [list, pollWith]);
  useEffect(() => void list.sync(), [list]);
  useVisibleInterval(poll, pollMs);
  useHealed(poll);
  return { list, state, poll };
}

/** The list with this key, whose pages `query` reads. Whatever `variables` depends on is part of the key, apart from times. */
export function usePagedQuery<Data, Variables extends AnyVariables, Row extends { uuid: string }>(
  key: string,
  query: TypedDocumentNode<Data, Variables>,
  variables: (after: string | null) => Variables,
  pageOf: (data: Data) => Page<Row>["page"],
  options?: Options,
) {
  const client = useClient();
  const read = async (after: string | null) => {
    const { data, error } = await client
      .query(query, variables(after), { requestPolicy: "network-only" })
      .toPromise();
    return { page: data && pageOf(data), error };
  };
  return usePagedList<Row>(key, read, options);
}
