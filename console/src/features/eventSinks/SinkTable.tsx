import { Anchor, Paper, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import classes from "../../frame/list/table.module.css";
import { healthOf } from "./health";
import { HealthBadge } from "./HealthBadge";
import { SinkMenu, type Action } from "./SinkMenu";
import { useSinkStory } from "./useSinkStory";
import type { SinkRow } from "./useEventSinks";

interface Props {
  state: PagedState<SinkRow>;
  /** the id of the sink that the server is asked about */
  busy: string | null;
  /** null if the person may only look */
  onAct: ((action: Action, row: SinkRow) => void) | null;
  /** the button that fills an empty table */
  act?: ReactNode;
}

export function SinkTable({ state, busy, onAct, act }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        aria-label={t("nav.eventSinks")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("eventSinks.sink")}</Table.Th>
            {!narrow && <Table.Th>{t("eventSinks.stream")}</Table.Th>}
            <Table.Th>{t("eventSinks.state")}</Table.Th>
            {!narrow && (
              <>
                <Table.Th ta="right">{t("eventSinks.lag")}</Table.Th>
                <Table.Th ta="right" className={classes.line}>
                  {t("eventSinks.rate")}
                </Table.Th>
              </>
            )}
            {onAct && (
              <Table.Th>
                <span className="visually-hidden">{t("eventSinks.actions")}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.uuid} row={row} narrow={narrow} busy={busy === row.uuid} onAct={onAct} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList loading={!complete} text={t("eventSinks.empty")} hint={t("eventSinks.emptyHint")}>
          {act}
        </EmptyList>
      )}
    </Paper>
  );
}

interface RowProps {
  row: SinkRow;
  narrow: boolean;
  busy: boolean;
  onAct: Props["onAct"];
}

function Row({ row, narrow, busy, onAct }: RowProps) {
  const { t } = useTranslation();
  const story = useSinkStory();
  const format = useFormat();
  const lag = row.status ? format.number(row.status.lag) : "–";
  const rate = row.status ? format.number(Math.round(row.status.ratePerSecond * 10) / 10) : "–";
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm" fw={500}>
          {row.name}
        </Text>
        <Text size="xs" c="dimmed">
          {row.url}
        </Text>
        <Owner row={row} />
        {narrow && <Where row={row} />}
      </Table.Td>
      {!narrow && (
        <Table.Td className={classes.anywhere} maw={260}>
          <Where row={row} />
        </Table.Td>
      )}
      <Table.Td className={classes.anywhere}>
        <HealthBadge health={healthOf(row)} />
        <Text size="xs" c="dimmed" mt={2}>
          {story(row)}
        </Text>
        {narrow && (
          <Text size="xs" c="dimmed">
            {t("eventSinks.lag")}: {lag} · {t("eventSinks.rate")}: {rate}
          </Text>
        )}
      </Table.Td>
      {!narrow && (
        <>
          <Table.Td ta="right">{lag}</Table.Td>
          <Table.Td ta="right">{rate}</Table.Td>
        </>
      )}
      {onAct && (
        <Table.Td ta="right">
          <SinkMenu row={row} busy={busy} onAct={onAct} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** The stream, the subject and the types of events. */
function Where({ row }: { row: SinkRow }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" className={classes.anywhere}>
        {row.stream}
      </Text>
      <Text size="xs" c="dimmed">
        {row.subject}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {row.types.length > 0 ? row.types.join(", ") : t("eventSinks.everyType")}
      </Text>
    </>
  );
}

/** Whose events a sink publishes, for administrators: the lists of others have only their own. */
function Owner({ row }: { row: SinkRow }) {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  if (!isAdmin) return null;
  if (row.ownerId === null) return <Text size="xs">{t("eventSinks.whole")}</Text>;
  if (!row.owner) return null;
  return (
    <Anchor component={Link} to={`/users/${row.owner.uuid}`} size="xs">
      {row.owner.email}
    </Anchor>
  );
}
