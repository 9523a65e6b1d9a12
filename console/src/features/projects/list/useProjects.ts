import { useCallback, useEffect, useMemo } from "react";
import { useClient, useSubscription, type Client } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { drawer } from "../../../frame/memory";
import { Store, useStore } from "../../../frame/store";
import { useThrottled, useVisibleInterval } from "../../../frame/ui/useInterval";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { ProjectPageQuery, ProjectsMoved } from "../documents";
import { orderOf, searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;
const AFTER_NEW_MS = 2_000;
const KEPT = 5; // lists that "back" finds as they were

export interface ListState {
  rows: readonly ProjectRowFragment[];
  loading: boolean;
  complete: boolean;
  problem: Problem | null;
}

/** A list of projects that is read page by page; its rows change while it is shown. */
export class ProjectList {
  readonly state = new Store<ListState>({ rows: [], loading: false, complete: false, problem: null });
  /** where the list was scrolled to */
  offset = 0;
  #request = 0;
  #next: string | null = null;

  readonly #client: Client;
  readonly #search: Search;

  constructor(client: Client, search: Search) {
    this.#client = client;
    this.#search = search;
  }

  /** Reads the list again, as far as it was read; the rows stay until then. */
  async reload(): Promise<void> {
    const wanted = Math.max(PAGE, this.state.get().rows.length);
    const rows: ProjectRowFragment[] = [];
    const request = ++this.#request;
    let next: string | null = null;
    this.#change({ loading: true, problem: null });
    do {
      const page = await this.#read(next);
      if (request !== this.#request) return;
      if (!page) return;
      rows.push(...page.rows);
      next = page.next;
    } while (next && rows.length < wanted);
    this.#next = next;
    this.#change({ rows, loading: false, complete: next === null });
  }

  async more(): Promise<void> {
    const { loading, complete, problem } = this.state.get();
    if (loading || complete || problem) return;
    const request = ++this.#request;
    this.#change({ loading: true });
    const page = await this.#read(this.#next);
    if (request !== this.#request || !page) return;
    const known = new Set(this.state.get().rows.map(({ uuid }) => uuid));
    this.#next = page.next;
    this.#change({
      rows: [...this.state.get().rows, ...page.rows.filter(({ uuid }) => !known.has(uuid))],
      loading: false,
      complete: page.next === null,
    });
  }

  /** Shows the newest numbers of a project; returns whether the list has it. */
  take(project: ProjectRowFragment): boolean {
    const { rows } = this.state.get();
    const index = rows.findIndex(({ uuid }) => uuid === project.uuid);
    if (index < 0) return false;
    if (project.status === "deleted") this.#change({ rows: rows.toSpliced(index, 1) });
    else this.#change({ rows: rows.with(index, project) });
    return true;
  }

  async #read(after: string | null): Promise<{ rows: ProjectRowFragment[]; next: string | null } | null> {
    const variables = { first: PAGE, after, where: whereOf(this.#search), orderBy: orderOf(this.#search) };
    const { data, error } = await this.#client
      .query(ProjectPageQuery, variables, { requestPolicy: "network-only" })
      .toPromise();
    if (!data?.sendingProjects) {
      if (error) this.#change({ loading: false, problem: problemOf(error) });
      return null;
    }
    const { nodes, pageInfo } = data.sendingProjects;
    return { rows: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
  }

  #change(part: Partial<ListState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

const lists = drawer<ProjectList>();

/** The list for a search: kept while the user looks at a project, and live. */
export function useProjects(search: Search) {
  const client = useClient();
  const key = searchParams(search).toString();
  const list = useMemo(() => {
    const kept = lists.get(key);
    if (kept) return kept;
    const made = new ProjectList(client, search);
    lists.set(key, made);
    for (const old of [...lists.keys()].slice(0, -KEPT)) lists.delete(old);
    return made;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `search`
  }, [client, key]);
  const state = useStore(list.state);
  const reload = useCallback(() => void list.reload(), [list]);
  useEffect(reload, [reload]);
  useVisibleInterval(reload, POLL_MS);
  useHealed(reload);
  const reloadSoon = useThrottled(reload, AFTER_NEW_MS);
  const filtered = search.status.length > 0;
  useSubscription({ query: ProjectsMoved }, (_before, event) => {
    const project = event.sendingProjectProgress;
    const fits = !filtered || search.status.includes(project.status);
    // A project that is new, or no longer fits the filter, is for the server to sort in.
    if (!list.take(project) ? fits : !fits) reloadSoon();
    return event;
  });
  return { list, state };
}
