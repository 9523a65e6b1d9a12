import { Badge, Paper, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import type { ConfiguredRoutesQuery } from "../../gql/graphql";
import classes from "./routes.module.css";

type RouteQuality = NonNullable<ConfiguredRoutesQuery["routeQuality"]>[number];

/** How many messages of each route and prefix had a receipt of delivery; degraded routes first. */
export function Quality({ rows }: { rows: readonly RouteQuality[] }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  return (
    <Paper p="sm">
      <Title order={2}>{t("routes.quality.title")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("routes.quality.hint")}
      </Text>
      <Table verticalSpacing={6} aria-label={t("routes.quality.title")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("routes.route")}</Table.Th>
            <Table.Th ta="right">{t("routes.quality.hour")}</Table.Th>
            {!narrow && <Table.Th ta="right">{t("routes.quality.before")}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={`${row.route} ${row.prefix}`} row={row} narrow={narrow} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Row({ row, narrow }: { row: RouteQuality; narrow: boolean }) {
  const { t } = useTranslation();
  const { route, prefix, degradedSince, retryAt } = row;
  const before = <Share delivered={row.deliveredBefore} sent={row.sentBefore} />;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm">
          <b>{route}</b> · {prefix ? `+${prefix}` : t("routes.allNumbers")}
        </Text>
        {degradedSince && (
          <Text size="xs" c="dimmed" component="div">
            <Badge variant="light" color="red" tt="none" radius="sm" size="sm" fw={500} miw="max-content">
              {t("routes.quality.last")}
            </Badge>{" "}
            {t("system.since")} <Time value={degradedSince} />
            {retryAt && (
              <>
                {" · "}
                {t("routes.quality.retry")} <Time value={retryAt} />
              </>
            )}
          </Text>
        )}
        {narrow && (
          <Text size="xs" c="dimmed" component="div">
            {t("routes.quality.before")}: {before}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Share delivered={row.delivered} sent={row.sent} />
      </Table.Td>
      {!narrow && <Table.Td ta="right">{before}</Table.Td>}
    </Table.Tr>
  );
}

function Share({ delivered, sent }: { delivered: number; sent: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return <>{t("routes.quality.of", { delivered: format.number(delivered), sent: format.number(sent) })}</>;
}
