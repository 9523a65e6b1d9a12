import { Button, Center, Loader, Paper, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDownLeft } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../../frame/i18n";
import { Link } from "react-router";
import { useFormat } from "../../frame/format";
import { LongTable } from "../../frame/ui/LongTable";
import { ProblemNotice } from "../../frame/ui/ProblemNotice";
import { StateBadge } from "../../frame/ui/StateBadge";
import { Time } from "../../frame/ui/Time";
import { useFailure } from "./failure";
import type { Feed, FeedState } from "./feed";
import classes from "./messages.module.css";
import type { Row } from "./row";

const COLUMNS = ["time", "channel", "address", "text", "state", "price"] as const;
const AHEAD = 30; // rows before the end at which the next page is loaded

interface Props {
  feed: Feed;
  state: FeedState;
  total: number | null;
  filtered: boolean;
  onSend: () => void;
}

export function MessageTable({ feed, state, total, filtered, onSend }: Props) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const height = narrow ? 56 : 36;
  const box = useRef<HTMLDivElement>(null);
  const { rows, complete, loading } = state;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => rows[index]?.uuid ?? index,
    initialOffset: feed.offset,
    onChange: (instance) => {
      if (instance.scrollOffset !== null) feed.offset = instance.scrollOffset;
    },
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useLayoutEffect(() => {
    box.current?.scrollTo(0, feed.offset);
  }, [feed]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) void feed.more();
  }, [feed, last, rows.length, loading]);

  async function showFresh() {
    await feed.reload();
    box.current?.scrollTo(0, 0);
  }

  return (
    <Paper pos="relative" style={{ overflow: "hidden" }}>
      {state.fresh > 0 && (
        <Center
          pos="absolute"
          top={narrow ? 8 : 40}
          left={0}
          right={0}
          style={{ zIndex: 2, pointerEvents: "none" }}
        >
          <Button radius="xl" onClick={showFresh} loading={loading} style={{ pointerEvents: "auto" }}>
            {t("messages.fresh", { count: state.fresh })}
          </Button>
        </Center>
      )}
      <LongTable
        label={t("nav.messages")}
        total={complete ? rows.length : total}
        busy={loading}
        columns={COLUMNS.map((name) => ({
          name,
          title: t(`messages.columns.${name}`),
          end: name === "price",
        }))}
        widths={classes.head ?? ""}
        list={classes.list ?? ""}
        box={box}
        height={virtual.getTotalSize()}
        empty={rows.length === 0}
      >
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && <MessageRow key={item.key} row={row} index={item.index} top={item.start} height={height} />
          );
        })}
      </LongTable>
      <Foot feed={feed} state={state} filtered={filtered} onSend={onSend} />
    </Paper>
  );
}

function MessageRow({ row, index, top, height }: { row: Row; index: number; top: number; height: number }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const failure = useFailure(row.failureCode);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={`${classes.cell} ${classes.time} ${classes.dim}`}>
        <Time value={row.at} />
      </span>
      <span role="cell" className={`${classes.cell} ${classes.channel}`}>
        {textOr(`channels.${row.channel}`, row.channel)}
      </span>
      <span role="cell" className={classes.cell}>
        {row.inbound && <IconArrowDownLeft size={14} aria-label={t("messages.inbound")} role="img" />}
        <Link to={`/messages/${row.uuid}`} className={classes.address}>
          {row.address || "–"}
        </Link>
      </span>
      <span role="cell" className={`${classes.cell} ${classes.text} ${classes.dim}`}>
        {row.project && <b>{row.project} </b>}
        {row.text}
      </span>
      <span role="cell" className={`${classes.cell} ${classes.state}`} title={failure?.what}>
        <StateBadge state={row.state} />
      </span>
      <span role="cell" className={`${classes.cell} ${classes.price} ${classes.end} ${classes.dim}`}>
        {row.currency && !row.inbound && format.money(row.price, row.currency)}
      </span>
    </div>
  );
}

/** What is below or instead of the rows: progress, an error, or that there is nothing. */
function Foot({ feed, state, filtered, onSend }: Omit<Props, "total">) {
  const { t } = useTranslation();
  const { rows, loading, problem, complete } = state;
  const empty = complete && rows.length === 0 && !loading;
  if (!problem && !empty && !(loading && rows.length === 0)) {
    return loading ? (
      <Center pos="absolute" bottom={8} left={0} right={0}>
        <Loader size="xs" aria-label={t("common.loading")} />
      </Center>
    ) : null;
  }
  return (
    <Center pos="absolute" top={60} left={0} right={0} px="md">
      {problem ? (
        <ProblemNotice problem={problem} onRetry={() => void feed.retry()} />
      ) : empty ? (
        <div role="status">
          <Text ta="center">{t(filtered ? "messages.nothingFound" : "messages.empty")}</Text>
          {!filtered && (
            <Center mt="sm">
              <Button onClick={onSend}>{t("send.title")}</Button>
            </Center>
          )}
        </div>
      ) : (
        <Loader size="sm" aria-label={t("common.loading")} />
      )}
    </Center>
  );
}
