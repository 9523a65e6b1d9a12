import { Button, Text } from "@mantine/core";
import { IconArrowDownLeft } from "@tabler/icons-react";
import { Link } from "react-router";
import { useBilling } from "../../../frame/billing";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { PagedState } from "../../../frame/list/PagedList";
import { SelectAll, SelectRow } from "../../../frame/list/SelectionBar";
import type { Selection } from "../../../frame/list/useSelection";
import { Cell, rowLink, VirtualTable } from "../../../frame/list/VirtualTable";
import { StateBadge } from "../../../frame/ui/StateBadge";
import { Time } from "../../../frame/ui/Time";
import { useFailure } from "../../../frame/failure/failure";
import { Empty } from "../../../frame/ui/page/Empty";
import type { Feed } from "./feed";
import classes from "../messages.module.css";
import type { Row } from "./row";

const COLUMNS = ["select", "time", "channel", "address", "text", "state", "price"] as const;

interface Props {
  feed: Feed;
  state: PagedState<Row>;
  /** how many new messages wait to be shown */
  fresh: number;
  filtered: boolean;
  selection: Selection<Row>;
  onSend: () => void;
}

export function MessageTable({ feed, state, fresh, filtered, selection, onSend }: Props) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  return (
    <VirtualTable
      label={t("nav.messages")}
      list={feed}
      state={state}
      columns={COLUMNS.filter((name) => !isFree || name !== "price").map((name) => ({
        name,
        title:
          name === "select" ? (
            <SelectAll selection={selection} shown={state.rows.length} />
          ) : (
            t(`messages.columns.${name}`)
          ),
        end: name === "price",
      }))}
      widths={isFree ? classes.free : classes.message}
      height={36}
      narrowHeight={56}
      listClass={classes.list}
      newRows={fresh > 0 ? t("messages.fresh", { count: fresh }) : null}
      empty={
        <Empty text={t(filtered ? "messages.nothingFound" : "messages.empty")}>
          {!filtered && <Button onClick={onSend}>{t("send.title")}</Button>}
        </Empty>
      }
      cells={(row) => <Cells row={row} selection={selection} isFree={isFree} />}
    />
  );
}

function Cells({ row, selection, isFree }: { row: Row; selection: Selection<Row>; isFree: boolean }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const failure = useFailure(row.failureCode);
  return (
    <>
      <Cell className={classes.check}>
        <SelectRow
          selection={selection}
          row={row}
          name={t("messages.rowOf", { address: row.address || "–", time: format.fullTime(row.at) })}
        />
      </Cell>
      <Cell dim className={classes.time}>
        <Time value={row.at} />
      </Cell>
      <Cell className={classes.channel}>{textOr(`channels.${row.channel}`, row.channel)}</Cell>
      <Cell>
        {row.inbound && <IconArrowDownLeft size={14} aria-label={t("messages.inbound")} role="img" />}
        <Link to={`/messages/${row.uuid}`} className={rowLink}>
          {row.address || "–"}
        </Link>
      </Cell>
      <Cell dim className={classes.text} title={row.project ?? undefined}>
        {row.title && <b>{row.title} </b>}
        {row.text || (!row.title && row.project)}
      </Cell>
      <Cell className={classes.state} title={failure?.what}>
        <StateBadge state={row.state} />
        {row.sendAt && (
          <Text component="span" size="xs" c="dimmed" className={classes.sendAt}>
            <Time value={row.sendAt} exact />
          </Text>
        )}
      </Cell>
      {!isFree && (
        <Cell dim end className={classes.price}>
          {row.currency && !row.inbound && format.money(row.price, row.currency)}
        </Cell>
      )}
    </>
  );
}
