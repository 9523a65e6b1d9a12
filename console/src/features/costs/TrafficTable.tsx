import { Anchor, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { Time } from "../../frame/ui/Time";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import type { TrafficRowsQuery } from "../../gql/graphql";
import classes from "../../frame/list/table.module.css";
import { GROUPS, type Group } from "./search";

type Page = NonNullable<TrafficRowsQuery["traffic"]>;
type Row = Page["items"][number];

interface Props {
  page: Page | null;
  group: Group;
  loading: boolean;
}

export function TrafficTable({ page, group, loading }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const format = useFormat();
  const rows = page?.items ?? [];
  const more = page ? page.total - rows.length : 0;
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        aria-label={t("costs.traffic")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`costs.groups.${group}`)}</Table.Th>
            {!narrow && (
              <>
                <Table.Th ta="right">{t("costs.messages")}</Table.Th>
                <Table.Th ta="right">{t("costs.parts")}</Table.Th>
                <Table.Th ta="right">{t("costs.delivered")}</Table.Th>
                <Table.Th ta="right">{t("costs.charged")}</Table.Th>
                <Table.Th ta="right">{t("costs.cost")}</Table.Th>
              </>
            )}
            <Table.Th ta="right">{t("costs.margin")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <TrafficRow key={keyOf(row)} row={row} group={group} narrow={narrow} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && <EmptyList loading={!page} text={t("costs.empty")} hint={t("costs.emptyHint")} />}
      {page?.countedUntil && (
        <Text size="xs" c="dimmed" p="xs">
          {t("costs.countedUntil")} <Time value={page.countedUntil} />
          {more > 0 && ` · ${t("costs.more", { number: format.number(more) })}`}
        </Text>
      )}
    </Paper>
  );
}

function TrafficRow({ row, group, narrow }: { row: Row; group: Group; narrow: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (amount: number | null, currency: string | null) =>
    amount === null ? "–" : currency ? format.money(amount, currency) : format.number(amount);
  const charged = money(row.charged, row.currency);
  // Where no message has a cost, a sum of nothing would say that they cost nothing.
  const cost = row.withoutCost && !row.cost ? "–" : money(row.cost, row.costCurrency);
  const lacks = row.withoutCost ? t("costs.withoutCost", { number: format.number(row.withoutCost) }) : null;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Name row={row} group={group} />
        {narrow && (
          <Text size="xs" c="dimmed" component="div">
            <div>
              {t("costs.messages")}: {format.number(row.messages)} · {t("costs.delivered")}:{" "}
              {format.number(row.delivered)}
            </div>
            <div>
              {t("costs.charged")}: {charged} · {t("costs.cost")}: {cost}
            </div>
          </Text>
        )}
        {lacks && (
          <Text size="xs" c="dimmed">
            {lacks}
          </Text>
        )}
      </Table.Td>
      {!narrow && (
        <>
          <Table.Td ta="right">{format.number(row.messages)}</Table.Td>
          <Table.Td ta="right">{format.number(row.parts)}</Table.Td>
          <Table.Td ta="right">{format.number(row.delivered)}</Table.Td>
          <Table.Td ta="right">{charged}</Table.Td>
          <Table.Td ta="right">{cost}</Table.Td>
        </>
      )}
      <Table.Td ta="right" fw={500} className={classes.line}>
        {money(row.margin, row.currency)}
      </Table.Td>
    </Table.Tr>
  );
}

function Name({ row, group }: { row: Row; group: Group }) {
  const { t } = useTranslation();
  const { nameOf } = useCountryNames();
  if (group === "owner")
    return (
      <Anchor component={Link} to={`/users/${row.ownerUuid}`} size="sm">
        {row.ownerUuid}
      </Anchor>
    );
  const names = GROUPS[group].map((part) => {
    const value = row[part];
    return value === null ? t("costs.none") : part === "country" ? nameOf(value) : value;
  });
  return <Text size="sm">{names.join(" · ")}</Text>;
}

function keyOf(row: Row): string {
  return [
    row.country,
    row.route,
    row.sender,
    row.ownerUuid,
    row.channel,
    row.currency,
    row.costCurrency,
  ].join(" ");
}
