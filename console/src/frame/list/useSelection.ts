import { useState } from "react";

export interface Selection<Row> {
  /** the chosen rows that the list still has */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  /** chooses all rows of the list, or none if all are chosen */
  toggleAll: () => void;
  clear: () => void;
}

/** Keeps which rows of a list are chosen. A row that the list no longer has is not chosen any more. */
export function useSelection<Row extends { uuid: string }>(list: readonly Row[]): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const rows = list.filter(({ uuid }) => chosen.has(uuid));
  return {
    rows,
    has: ({ uuid }) => chosen.has(uuid),
    toggle: ({ uuid }) =>
      setChosen((before) => {
        const after = new Set(before);
        if (!after.delete(uuid)) after.add(uuid);
        return after;
      }),
    toggleAll: () =>
      setChosen(rows.length === list.length ? new Set() : new Set(list.map(({ uuid }) => uuid))),
    clear: () => setChosen(new Set()),
  };
}
