import { Box, Button, Center, Loader, Paper } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "../i18n";
import { LongTable } from "../ui/LongTable";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import type { PagedList, PagedState } from "./PagedList";
import classes from "./virtualTable.module.css";
import { useNarrow } from "../ui/useNarrow";

const AHEAD = 30; // rows before the end at which the next page is loaded

interface Props<Row extends { uuid: string }> {
  label: string;
  list: PagedList<Row>;
  state: PagedState<Row>;
  columns: readonly { name: string; title: ReactNode; end?: boolean }[];
  /** the class with the widths of the columns, of the head and of each row */
  widths: string | undefined;
  /** the height of a row, in pixels */
  height: number;
  narrowHeight: number;
  /** the class with the height of the list, if it is not the page's only content */
  listClass?: string | undefined;
  empty: ReactNode;
  /** the text of a button that shows rows which are not in the list yet; null: there are none */
  newRows?: string | null;
  /** the cells of a row */
  cells: (row: Row) => ReactNode;
}

/** The table of a long list: it reads on while somebody scrolls, and has only the rows in sight in the page. */
export function VirtualTable<Row extends { uuid: string }>(props: Props<Row>) {
  const { label, list, state, columns, widths, listClass, empty, newRows, cells } = props;
  const { t } = useTranslation();
  const narrow = useNarrow();
  const height = narrow ? props.narrowHeight : props.height;
  const box = useRef<HTMLDivElement>(null);
  const { rows, complete, loading, problem, total } = state;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 10,
    getItemKey: (index) => rows[index]?.uuid ?? index,
    initialOffset: list.offset,
    onChange: (instance) => {
      if (instance.scrollOffset !== null) list.offset = instance.scrollOffset;
    },
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useLayoutEffect(() => {
    box.current?.scrollTo(0, list.offset);
  }, [list]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) void list.more();
  }, [list, last, rows.length, loading]);

  async function showNewRows() {
    await list.reload();
    box.current?.scrollTo(0, 0);
  }

  return (
    <Paper pos="relative" className={classes.table}>
      {newRows && (
        <Center className={classes.newRows}>
          <Button radius="xl" loading={loading} onClick={showNewRows}>
            {newRows}
          </Button>
        </Center>
      )}
      <LongTable
        label={label}
        total={complete ? rows.length : total}
        busy={loading}
        columns={columns}
        widths={widths ?? ""}
        list={`${classes.list} ${listClass ?? classes.page}`}
        box={box}
        height={virtual.getTotalSize()}
        empty={rows.length === 0}
      >
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className={`${classes.row} ${widths ?? ""}`}
                style={{ height, transform: `translateY(${item.start}px)` }}
              >
                {cells(row)}
              </div>
            )
          );
        })}
      </LongTable>
      {rows.length === 0 && (
        <Center pos="absolute" top={56} left={0} right={0} px="md">
          {problem ? (
            <ProblemNotice problem={problem} onRetry={() => void list.retry()} />
          ) : complete ? (
            empty
          ) : (
            <Loader size="sm" aria-label={t("common.loading")} />
          )}
        </Center>
      )}
      {loading && !complete && rows.length > 0 && last >= rows.length - 1 && (
        <Center pos="absolute" bottom={8} left={0} right={0}>
          <Loader size="xs" aria-label={t("common.loading")} />
        </Center>
      )}
      {rows.length > 0 && problem && (
        <Box pos="absolute" bottom={8} left={8} right={8}>
          <ProblemNotice problem={problem} onRetry={() => void list.retry()} />
        </Box>
      )}
    </Paper>
  );
}

/** A cell of a row. `className` hides it on a phone, or puts it elsewhere. */
export function Cell({
  children,
  className,
  end,
  dim,
  title,
}: {
  children?: ReactNode;
  className?: string | undefined;
  end?: boolean;
  dim?: boolean;
  title?: string | undefined;
}) {
  const all = [classes.cell, end && classes.end, dim && classes.dim, className].filter(Boolean).join(" ");
  return (
    <span role="cell" className={all} title={title}>
      {children}
    </span>
  );
}

/** The class of the link that the whole row leads to. */
export const rowLink = classes.link;
/** The class of a link beside it. */
export const innerLink = classes.inner;
