import {
  Alert,
  Anchor,
  Badge,
  Breadcrumbs,
  Button,
  Group,
  Loader,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { lazyFile } from "../../frame/api/consoleFiles";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { NotFound } from "../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import type { TariffFieldsFragment } from "../../gql/graphql";
import { ChooseTariff } from "./ChooseTariff";
import { OneTariff, TariffUsers } from "./documents";
import { LIMITS } from "./limits";
import { priceRows } from "./prices";
import classes from "./tariffs.module.css";

const EditTariff = lazyFile(() => import("./EditTariff"));

export default function TariffPage() {
  const { code = "" } = useParams();
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneTariff, { code });
  const tariff = data?.tariffs?.nodes.find((item) => item.code === code);
  usePageTitle(tariff?.name ?? t("tariffs.tariff"));
  if (tariff) {
    return <Shown key={code} tariff={tariff} own={data?.tariff?.code === code} reload={reload} />;
  }
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  return <NotFound text={t("tariffs.notFound")} />;
}

function Shown({ tariff, own, reload }: { tariff: TariffFieldsFragment; own: boolean; reload: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { isAdmin, uses } = useViewer();
  const isFree = useBilling() === "off";
  const [params, setParams] = useSearchParams();
  const notice = useNotice();
  const [choosing, setChoosing] = useState(false);
  const editing = isAdmin && params.has("edit");
  const done = (message: string) => {
    notice.show(message);
    setChoosing(false);
    setParams({}, { replace: true });
    reload();
  };
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/tariffs" size="sm">
          {t("nav.tariffs")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {tariff.code}
        </Text>
      </Breadcrumbs>
      <PageHead
        title={tariff.name}
        note={
          <Badge
            color={tariff.public ? "blue" : "gray"}
            variant="light"
            size="sm"
            radius="sm"
            tt="none"
            fw={500}
          >
            {t(tariff.public ? "tariffs.public" : "tariffs.hidden")}
          </Badge>
        }
      >
        {!editing && (
          <>
            {isAdmin && (
              <Button
                variant="default"
                leftSection={<IconPencil size={14} />}
                onClick={() => setParams({ edit: "1" })}
              >
                {t("tariffs.edit")}
              </Button>
            )}
            {!own && <Button onClick={() => setChoosing(true)}>{t("tariffs.chooseForMe")}</Button>}
          </>
        )}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {own && <Alert color="teal">{t("tariffs.isYours")}</Alert>}
      {editing ? (
        <Suspense fallback={<Loader size="sm" aria-label={t("common.loading")} />}>
          <EditTariff
            code={tariff.code}
            onClose={() => setParams({}, { replace: true })}
            onSaved={() => done(t("tariffs.saved", { name: tariff.name }))}
          />
        </Suspense>
      ) : (
        <>
          {!isFree && (
            <Paper p="sm">
              <Title order={2}>{t("tariffs.prices")}</Title>
              <Text size="xs" c="dimmed" mb="xs">
                {t("tariffs.pricesText")}
              </Text>
              <PriceTable tariff={tariff} />
              {tariff.priceListId && uses("trade") && (
                <Anchor component={Link} to={`/tariffs/lists/${tariff.priceListId}`} size="sm">
                  {t("tariffs.priceList")}
                </Anchor>
              )}
            </Paper>
          )}
          <Paper p="sm">
            <Title order={2} mb="xs">
              {t("tariffs.limitsTitle")}
            </Title>
            <dl className={classes.facts}>
              {LIMITS.map((name) => (
                <div key={name}>
                  <dt>{t(`tariffs.limits.${name}`)}</dt>
                  <dd>{format.number(tariff[name])}</dd>
                </div>
              ))}
            </dl>
          </Paper>
          {isAdmin && <Users code={tariff.code} />}
        </>
      )}
      {choosing && <ChooseTariff tariff={tariff} onClose={() => setChoosing(false)} onDone={done} />}
    </Stack>
  );
}

function PriceTable({ tariff }: { tariff: TariffFieldsFragment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = priceRows(tariff.prices);
  if (rows.length === 0) return <Text size="sm">{t("tariffs.noPrices")}</Text>;
  return (
    <div className={classes.scroll} role="region" aria-label={t("tariffs.prices")} tabIndex={0}>
      <Table verticalSpacing={4} miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("tariffs.currency")}</Table.Th>
            {tariff.channels.map((channel) => (
              <Table.Th key={channel} ta="right">
                {t(`channels.${channel}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ currency, prices }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              {tariff.channels.map((channel) => (
                <Table.Td key={channel} ta="right">
                  {prices[channel] === undefined ? "–" : format.exactMoney(Number(prices[channel]), currency)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Users({ code }: { code: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = useLoaded(TariffUsers, { code }).data?.users?.totalCount;
  return (
    <Paper p="sm">
      <Group justify="space-between">
        <Title order={2}>{t("tariffs.users")}</Title>
        {count !== undefined && (
          <Anchor component={Link} to={`/users?tariff=${code}`} size="sm">
            {t("users.total", { count, number: format.number(count) })}
          </Anchor>
        )}
      </Group>
    </Paper>
  );
}
