import { Badge, Paper, Table, Text, Title } from "@mantine/core";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { RouteReceiptsQuery } from "../../gql/graphql";
import { RouteReceipts } from "./documents";
import classes from "../../frame/list/table.module.css";

/** Workers judge the routes this often, and the list takes the database some time. */
const POLL_MS = 30_000;

type RouteQuality = NonNullable<RouteReceiptsQuery["routeQuality"]>[number];

/** How many messages of each route and prefix had a receipt of delivery; degraded routes first. */
export function Quality() {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(RouteReceipts, {});
  useVisibleInterval(reload, POLL_MS);
  const rows = data?.routeQuality;
  const narrow = useNarrow();
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!rows || rows.length === 0) return null;
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
  const onTrial = retryAt !== null && new Date(retryAt) <= new Date();
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
              {t(onTrial ? "routes.quality.trial" : "routes.quality.last")}
            </Badge>{" "}
            {t("system.since")} <Time value={degradedSince} />
            {retryAt && !onTrial && (
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
