import type { LedgerPageQuery } from "../../gql/graphql";
import type { InnerEntry, Unfolded } from "./useUnfolded";

export type Entry = NonNullable<NonNullable<LedgerPageQuery["account"]>["ledger"]>["nodes"][number];

/** A line of the ledger: an entry, a project with all its entries, an entry inside of it, or what reads on there. */
export type Line =
  | { kind: "entry"; uuid: string; entry: Entry }
  | {
      kind: "project";
      uuid: string;
      entry: Entry;
      project: string;
      cost: NonNullable<Entry["projectCost"]>;
      open: boolean;
    }
  | { kind: "inside"; uuid: string; entry: InnerEntry }
  | { kind: "more"; uuid: string; project: string; state: Unfolded };

/**
 * Returns the lines of a ledger, with those of the unfolded projects below theirs. `grouped`: of a project the list has
 * the newest entry alone, which stands for all of them.
 */
export function linesOf(
  entries: readonly Entry[],
  grouped: boolean,
  unfolded: ReadonlyMap<string, Unfolded>,
): Line[] {
  return entries.flatMap((entry): Line[] => {
    const { uuid, projectId: project, projectCost: cost } = entry;
    if (!grouped || !project || !cost || cost.entries < 2) return [{ kind: "entry", uuid, entry }];
    const state = unfolded.get(project);
    const head: Line = { kind: "project", uuid: project, entry, project, cost, open: state !== undefined };
    if (!state) return [head];
    const inside = state.entries.map((inner): Line => ({ kind: "inside", uuid: inner.uuid, entry: inner }));
    const ends = !state.loading && !state.problem && state.after === null;
    return [
      head,
      ...inside,
      ...(ends ? [] : [{ kind: "more", uuid: `${project}-more`, project, state } as const]),
    ];
  });
}
