import { useCallback, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import type { ProjectEntriesQuery } from "../../gql/graphql";
import { ProjectEntries } from "./documents";

const PAGE = 50;

export type InnerEntry = NonNullable<NonNullable<ProjectEntriesQuery["account"]>["ledger"]>["nodes"][number];

export interface Unfolded {
  entries: readonly InnerEntry[];
  /** where the next page begins; null: there is none */
  after: string | null;
  loading: boolean;
  problem: Problem | null;
}

const CLOSED: Unfolded = { entries: [], after: null, loading: true, problem: null };

/** The projects of a ledger whose charges and refunds are shown, and what was read of them. */
export function useUnfolded(account: string) {
  const client = useClient();
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, Unfolded>>(new Map());

  const read = useCallback(
    async (project: string, before: Unfolded) => {
      const put = (value: Unfolded) =>
        setUnfolded((map) =>
          map.has(project) || before === CLOSED ? new Map(map).set(project, value) : map,
        );
      put({ ...before, loading: true, problem: null });
      const variables = { id: account, project, first: PAGE, after: before.after };
      const { data, error } = await client
        .query(ProjectEntries, variables, { requestPolicy: "network-only" })
        .toPromise();
      const page = data?.account?.ledger;
      if (page) {
        put({
          entries: [...before.entries, ...page.nodes],
          after: page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
          loading: false,
          problem: null,
        });
      } else put({ ...before, loading: false, problem: error ? problemOf(error) : null });
    },
    [account, client],
  );

  const toggle = useCallback(
    (project: string) => {
      if (!unfolded.has(project)) return void read(project, CLOSED);
      setUnfolded((map) => {
        const next = new Map(map);
        next.delete(project);
        return next;
      });
    },
    [read, unfolded],
  );
  const more = useCallback(
    (project: string) => void read(project, unfolded.get(project) ?? CLOSED),
    [read, unfolded],
  );
  return { unfolded, toggle, more };
}
