import { Anchor, Badge, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { EmptyList } from "../../../../frame/list/EmptyList";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { Notice, useNotice } from "../../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../../frame/ui/Time";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import { Question } from "../../../../frame/ui/dialogs/Question";
import type { HookDeliveriesQuery, HookFragment } from "../../../../gql/graphql";
import { FilterMenu } from "../../../../frame/list/FilterMenu";
import classes from "../../developer.module.css";
import { DeliveryDialog } from "./DeliveryDialog";
import { HookDeliveries, ReplayDead } from "../documents";
import { nextTry } from "../health";
import { DELIVERY_COLORS } from "./model";

const PAGE = 50;
const POLL_MS = 5_000;
const STATES = ["waiting", "delivered", "dead"] as const;

interface Props {
  hook: HookFragment;
  /** only those that were given up */
  dead?: boolean;
  onChanged: () => void;
}

type Row = NonNullable<HookDeliveriesQuery["webhookDeliveries"]>["nodes"][number];

/** What a webhook was sent, and what waits for it; page by page. */
export function Deliveries({ hook, dead = false, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const [params, setParams] = useSearchParams();
  const [confirming, setConfirming] = useState(false);
  const notice = useNotice();
  const states = dead
    ? ["dead" as const]
    : STATES.filter((item) => (params.get("state") ?? "").split(",").includes(item));
  const after = params.get("after");
  const delivery = params.get("delivery");
  const { data, problem, loading, reload } = useLoaded(HookDeliveries, {
    id: hook.uuid,
    first: PAGE,
    after,
    where: states.length > 0 ? { state: { in: states } } : null,
  });
  useVisibleInterval(() => {
    if (!after) reload();
  }, POLL_MS);
  const rows = data?.webhookDeliveries?.nodes ?? [];
  const page = data?.webhookDeliveries?.pageInfo;
  const change = (part: Record<string, string | null>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(part)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return next;
  };
  function changed(count: number) {
    notice.show(t("hooks.queuedAgain", { count, number: format.number(count) }));
    setConfirming(false);
    reload();
    onChanged();
  }

  return (
    <Stack gap={8}>
      <Group gap={6}>
        {!dead && (
          <FilterMenu
            several
            label={t("hooks.state")}
            options={STATES.map((value) => ({ value, label: t(`hooks.deliveryStates.${value}`) }))}
            chosen={states}
            onChange={(next) => setParams(change({ state: next.join(","), after: null }), { replace: true })}
          />
        )}
        {dead && rows.length > 0 && may("messengers:write") && (
          <Button onClick={() => setConfirming(true)}>{t("hooks.replayDead")}</Button>
        )}
        <Text size="xs" c="dimmed">
          {t(dead ? "hooks.deadText" : "hooks.deliveriesText")}
        </Text>
      </Group>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Paper>
        <Table
          verticalSpacing={5}
          aria-label={t(dead ? "hooks.tabs.dead" : "hooks.tabs.deliveries")}
          aria-busy={loading}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("feed.type")}</Table.Th>
              <Table.Th>{t("hooks.state")}</Table.Th>
              <Table.Th>{t("hooks.answer")}</Table.Th>
              <Table.Th className={classes.wide} ta="end">
                {t("hooks.attempts")}
              </Table.Th>
              <Table.Th className={classes.wide}>{t("hooks.queuedAt")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <DeliveryRow
                key={row.uuid}
                hook={hook}
                row={row}
                to={`?${change({ delivery: row.uuid }).toString()}`}
              />
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && (data || loading) && (
          <EmptyList
            loading={!data && loading}
            text={t(dead ? "hooks.noDead" : states.length > 0 ? "hooks.nothingFound" : "hooks.noDeliveries")}
          />
        )}
      </Paper>
      {(after !== null || page?.hasNextPage) && (
        <Group justify="center">
          {after !== null && (
            <Button component={Link} variant="default" to={`?${change({ after: null }).toString()}`}>
              {t("hooks.toNewest")}
            </Button>
          )}
          {page?.hasNextPage && (
            <Button
              component={Link}
              variant="default"
              to={`?${change({ after: page.endCursor ?? null }).toString()}`}
            >
              {t("hooks.older")}
            </Button>
          )}
        </Group>
      )}
      {confirming && (
        <Question
          title={t("hooks.replayDeadTitle")}
          question={t("hooks.replayDeadText")}
          action={t("hooks.replayDead")}
          mutation={ReplayDead}
          variables={{ id: hook.uuid }}
          onDone={(answer) => changed(answer.replayDeadLetters ?? 0)}
          onClose={() => setConfirming(false)}
        />
      )}
      {delivery && (
        <DeliveryDialog
          hook={hook}
          uuid={delivery}
          onReplayed={(count) => {
            setParams(change({ delivery: null }));
            changed(count);
          }}
          onClose={() => setParams(change({ delivery: null }))}
        />
      )}
    </Stack>
  );
}

function DeliveryRow({ hook, row, to }: { hook: HookFragment; row: Row; to: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const next = nextTry(hook, row);
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Anchor component={Link} to={to} size="sm" fw={500}>
          {row.type}
        </Anchor>
        {row.replayed && (
          <Text span size="xs" c="dimmed">
            {" "}
            {t("hooks.isReplayed")}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge
          miw="max-content"
          variant="light"
          color={DELIVERY_COLORS[row.state]}
          radius="sm"
          size="sm"
          tt="none"
          fw={500}
        >
          {t(`hooks.deliveryStates.${row.state}`)}
        </Badge>
        {next && (
          <Text size="xs" c="dimmed">
            {t("hooks.nextTry", { time: format.time(next) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.anywhere}>
        {row.lastStatus ?? ""} {row.state !== "delivered" && row.lastError}
      </Table.Td>
      <Table.Td className={classes.wide} ta="end">
        {format.number(row.attempts)}
      </Table.Td>
      <Table.Td className={classes.wide} c="dimmed">
        <Time value={row.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
