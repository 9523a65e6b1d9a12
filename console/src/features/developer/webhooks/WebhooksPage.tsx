import "../styles";
import { Anchor, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { EmptyList } from "../../../frame/list/EmptyList";
import type { HookFragment } from "../../../gql/graphql";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import classes from "../developer.module.css";
import { Hooks } from "./documents";
import { healthOf, HEALTHS } from "./health";
import { HealthBadge } from "./HealthBadge";
import { useScope, useWebhookStory } from "./useWebhookStory";

const PAGE = 100;
const POLL_MS = 10_000;

/** All webhooks: those of the event feed, and those of messenger accounts. */
export default function WebhooksPage() {
  const { t } = useTranslation();
  const { may } = useViewer();
  const [params, setParams] = useSearchParams();
  const { data, problem, loading, reload } = useLoaded(Hooks, {
    first: PAGE,
    ofFeed: may("events:read"),
    ofAccounts: may("messengers:read"),
  });
  useVisibleInterval(reload, POLL_MS);
  usePageTitle(t("nav.webhooks"));
  const format = useFormat();
  const stateNames = (params.get("state") ?? "").split(",");
  const states = HEALTHS.filter((item) => stateNames.includes(item));
  const accounts = data?.messengerAccounts;
  const all = [
    ...(data?.webhooks?.nodes ?? []),
    ...(accounts?.nodes ?? []).flatMap(({ webhooks }) => webhooks?.nodes ?? []),
  ];
  const more = [data?.webhooks, accounts, ...(accounts?.nodes ?? []).map(({ webhooks }) => webhooks)].some(
    (page) => page?.pageInfo.hasNextPage,
  );
  const rows = all.filter((hook) => states.length === 0 || states.includes(healthOf(hook)));

  const add = may("events:write") && (
    <Button component={Link} to="/webhooks/new" leftSection={<IconPlus size={14} />}>
      {t("hooks.new")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={t("nav.webhooks")}>{add}</PageHead>
      <Group gap={6}>
        <FilterMenu
          several
          label={t("hooks.state")}
          options={HEALTHS.map((value) => ({ value, label: t(`hooks.health.${value}`) }))}
          chosen={states}
          onChange={(next) => setParams(next.length > 0 ? { state: next.join(",") } : {}, { replace: true })}
        />
      </Group>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Paper>
        <Table
          verticalSpacing={6}
          aria-label={t("nav.webhooks")}
          aria-busy={loading}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("hooks.url")}</Table.Th>
              <Table.Th className={classes.wide}>{t("hooks.receives")}</Table.Th>
              <Table.Th>{t("hooks.state")}</Table.Th>
              <Table.Th className={classes.wide} ta="end">
                {t("hooks.waiting")}
              </Table.Th>
              <Table.Th className={classes.wide} ta="end">
                {t("hooks.dead")}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((hook) => (
              <Row key={hook.uuid} hook={hook} />
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && (data || loading) && (
          <EmptyList
            loading={!data && loading}
            text={t(all.length > 0 ? "hooks.nothingFound" : "hooks.empty")}
          >
            {all.length === 0 && add}
          </EmptyList>
        )}
      </Paper>
      {more && (
        <Text size="sm" role="status">
          {t("hooks.someOnly", { count: all.length, number: format.number(all.length) })}
        </Text>
      )}
    </Stack>
  );
}

function Row({ hook }: { hook: HookFragment }) {
  const story = useWebhookStory();
  const scope = useScope();
  const format = useFormat();
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Anchor component={Link} to={`/webhooks/${hook.uuid}`} size="sm" fw={500}>
          {hook.url}
        </Anchor>
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`} maw={300}>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {scope(hook)}
        </Text>
      </Table.Td>
      <Table.Td>
        <HealthBadge health={healthOf(hook)} />
        <Text size="xs" c="dimmed" mt={2} className={`${classes.wide} ${classes.anywhere}`}>
          {story(hook)}
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide} ta="end">
        {format.number(hook.waiting)}
      </Table.Td>
      <Table.Td className={classes.wide} ta="end">
        {format.number(hook.dead)}
      </Table.Td>
    </Table.Tr>
  );
}
