import { Box } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import classes from "./longTable.module.css";

interface Props {
  label: string;
  /** the number of all rows; null if it is not known yet */
  total: number | null;
  busy: boolean;
  columns: readonly { name: string; title: ReactNode; end?: boolean }[];
  /** the class with the widths of the columns */
  widths: string;
  /** the class with the height of the list */
  list: string;
  /** the element that scrolls */
  box: Ref<HTMLDivElement>;
  /** the height of all rows, in pixels */
  height: number;
  empty: boolean;
  /** the rows that are in sight */
  children: ReactNode;
}

/** A table of any length, of which only the rows in sight are in the page. */
export function LongTable({
  label,
  total,
  busy,
  columns,
  widths,
  list,
  box,
  height,
  empty,
  children,
}: Props) {
  return (
    <div role="table" aria-label={label} aria-rowcount={total === null ? -1 : total + 1} aria-busy={busy}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${classes.head} ${widths}`}>
          {columns.map(({ name, title, end }) => (
            <span key={name} role="columnheader" className={end ? classes.end : undefined}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div ref={box} role="rowgroup" className={list} tabIndex={empty ? -1 : undefined}>
        <Box pos="relative" h={height} role="presentation">
          {children}
        </Box>
      </div>
    </div>
  );
}
