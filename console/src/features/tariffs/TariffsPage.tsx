import "@mantine/core/styles/Progress.css";
import {
  Anchor,
  Badge,
  Button,
  Group,
  Loader,
  Paper,
  Progress,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import type { OwnTariffQuery, TariffFieldsFragment } from "../../gql/graphql";
import { ChooseTariff } from "./ChooseTariff";
import { OwnTariff, TariffPageQuery } from "./documents";
import { priceRows } from "./prices";
import { TariffTabs } from "./TariffTabs";
import classes from "./tariffs.module.css";

const PAGE = 100;
const POLL_MS = 30_000;

/** The user's own tariff, and the tariffs that may be chosen; all of them for administrators. */
export default function TariffsPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const isFree = useBilling() === "off";
  const [params, setParams] = useSearchParams();
  const after = params.get("after");
  const own = useLoaded(OwnTariff, {});
  const tariffs = useLoaded(TariffPageQuery, { first: PAGE, after });
  const [chosen, setChosen] = useState<TariffFieldsFragment | null>(null);
  const notice = useNotice();
  usePageTitle(t("nav.tariffs"));
  useVisibleInterval(own.reload, POLL_MS);
  const page = tariffs.data?.tariffs;
  const next = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.tariffs")}>
        {viewer.isAdmin && (
          <Button component={Link} to="/tariffs/new" leftSection={<IconPlus size={14} />}>
            {t("tariffs.new")}
          </Button>
        )}
      </PageHead>
      <TariffTabs />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {own.data?.tariff && <Own tariff={own.data.tariff} />}
      {own.problem && <ProblemNotice problem={own.problem} onRetry={own.reload} />}
      {tariffs.problem && <ProblemNotice problem={tariffs.problem} onRetry={tariffs.reload} />}
      {!page && tariffs.loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {page && (
        <Paper>
          <Table verticalSpacing={6} aria-label={t("nav.tariffs")} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("tariffs.name")}</Table.Th>
                {!isFree && <Table.Th>{t("tariffs.prices")}</Table.Th>}
                <Table.Th className={classes.wide}>{t("tariffs.limits.messagesPerDay")}</Table.Th>
                <Table.Th>
                  <span className="visually-hidden">{t("tariffs.choose")}</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.nodes.map((tariff) => (
                <Row
                  key={tariff.code}
                  tariff={tariff}
                  own={own.data?.tariff?.code === tariff.code}
                  onChoose={() => setChosen(tariff)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {(after ?? next) && (
        <Group justify="center">
          {after && (
            <Button variant="default" onClick={() => setParams({})}>
              {t("tariffs.first")}
            </Button>
          )}
          {next && (
            <Button variant="default" onClick={() => setParams({ after: next })}>
              {t("tariffs.next")}
            </Button>
          )}
        </Group>
      )}
      {chosen && (
        <ChooseTariff
          tariff={chosen}
          onClose={() => setChosen(null)}
          onDone={(message) => {
            setChosen(null);
            notice.show(message);
            own.reload();
            tariffs.reload();
          }}
        />
      )}
    </Stack>
  );
}

function Row({
  tariff,
  own,
  onChoose,
}: {
  tariff: TariffFieldsFragment;
  own: boolean;
  onChoose: () => void;
}) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const format = useFormat();
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <Anchor component={Link} to={`/tariffs/${tariff.code}`} size="sm" fw={500} className={classes.name}>
            {tariff.name}
          </Anchor>
          {own && (
            <Badge color="teal" variant="light" size="sm" radius="sm" tt="none" fw={500}>
              {t("tariffs.yours")}
            </Badge>
          )}
          {!tariff.public && (
            <Badge color="gray" variant="light" size="sm" radius="sm" tt="none" fw={500}>
              {t("tariffs.hidden")}
            </Badge>
          )}
        </Group>
      </Table.Td>
      {!isFree && (
        <Table.Td>
          <Prices tariff={tariff} />
        </Table.Td>
      )}
      <Table.Td className={classes.wide}>{format.number(tariff.messagesPerDay)}</Table.Td>
      <Table.Td ta="right">
        {!own && (
          <Button
            variant="default"
            aria-label={t("tariffs.chooseOf", { name: tariff.name })}
            onClick={onChoose}
          >
            {t("tariffs.choose")}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The prices in one line for each currency, such as "SMS $0.01 · Email $0.001". */
function Prices({ tariff }: { tariff: TariffFieldsFragment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = priceRows(tariff.prices);
  if (rows.length === 0) return <Text size="sm">{t("tariffs.noPrices")}</Text>;
  return rows.map(({ currency, prices }) => (
    <Text key={currency} size="sm">
      {tariff.channels
        .filter((channel) => prices[channel] !== undefined)
        .map(
          (channel) => `${t(`channels.${channel}`)} ${format.exactMoney(Number(prices[channel]), currency)}`,
        )
        .join(" · ") || t("tariffs.noPricesIn", { currency })}
    </Text>
  ));
}

/** How much of the own tariff is used. */
function Own({ tariff }: { tariff: NonNullable<OwnTariffQuery["tariff"]> }) {
  const { t } = useTranslation();
  const { used, messagesPerDay, maxConcurrentProjects } = tariff;
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("tariffs.own", { name: tariff.name })}</Title>
        <Text size="xs" c="dimmed">
          {t("tariffs.resets")} <Time value={used.resetsAt} />
        </Text>
      </Group>
      <div className={classes.used}>
        <Used label={t("tariffs.messagesToday")} used={used.messagesToday} limit={messagesPerDay} />
        <Used label={t("tariffs.projects")} used={used.concurrentProjects} limit={maxConcurrentProjects} />
      </div>
    </Paper>
  );
}

function Used({ label, used, limit }: { label: string; used: number; limit: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const color = share >= 1 ? "red" : share >= 0.8 ? "yellow" : "postern";
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {t("tariffs.usedOf", { used: format.number(used), limit: format.number(limit) })}
        </Text>
      </Group>
      <Progress value={share * 100} color={color} aria-label={label} />
    </div>
  );
}
