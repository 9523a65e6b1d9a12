import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle } from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import { Link } from "react-router";
import type { AttentionAccountFragment, QueueFieldsFragment, RouteState } from "../../gql/graphql";
import { useFormat } from "../../frame/values/format";
import { BalanceTable } from "../../frame/ui/figures/BalanceTable";
import { Time } from "../../frame/ui/Time";
import type { Matter } from "./attention";
import { QueueFigures } from "../../frame/ui/figures/QueueFigures";
import classes from "./overview.module.css";

const ROUTE_COLORS: Record<RouteState, string> = { closed: "teal", open: "red", probing: "yellow" };

export function QueueCard({ queue, isAdmin }: { queue: QueueFieldsFragment; isAdmin: boolean }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("overview.queue")}
      </Title>
      <QueueFigures large queue={queue} />
      <Stack gap={4} mt="sm">
        <Text size="xs" c="dimmed">
          {queue.workers.length === 0
            ? t(isAdmin ? "overview.noWorkers" : "overview.noOwnWorkers")
            : t("overview.workers", { count: queue.workers.length })}
        </Text>
        {queue.workers.slice(0, 5).map((worker) => (
          <Group key={worker.name} justify="space-between" gap="xs">
            <Text size="sm">{worker.name}</Text>
            <Text size="xs" c="dimmed">
              {t("overview.batches", { count: worker.units })}
              {worker.lastSeenAt && (
                <>
                  {" · "}
                  <Time value={worker.lastSeenAt} />
                </>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
      {queue.routes.length > 0 && (
        <Group gap={6} mt="sm" aria-label={t("overview.routes")} role="group">
          {queue.routes.map((route) => (
            <Badge
              key={route.name}
              variant="light"
              color={ROUTE_COLORS[route.state]}
              tt="none"
              radius="sm"
              fw={500}
            >
              {route.name}: {t(`overview.routeStates.${route.state}`)}
            </Badge>
          ))}
        </Group>
      )}
    </Paper>
  );
}

export function MattersCard({ matters }: { matters: Matter[] }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Group gap="xs" mb="xs">
        <Title order={2}>{t("overview.attention")}</Title>
        {matters.length > 0 && (
          <Badge
            color={matters.some((item) => item.severity === "bad") ? "red" : "yellow"}
            size="sm"
            radius="sm"
          >
            {matters.length}
          </Badge>
        )}
      </Group>
      {matters.length === 0 ? (
        <Group gap={6}>
          <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text size="sm">{t("overview.nothingToDo")}</Text>
        </Group>
      ) : (
        <ul className={classes.matters}>
          {matters.map((matter) => (
            <MatterRow key={matter.id} matter={matter} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function MatterRow({ matter }: { matter: Matter }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { kind, values, amounts = {}, currency, at, link, severity } = matter;
  const shown: Record<string, string | number> = { ...values, count: amounts.count ?? 0 };
  for (const [name, amount] of Object.entries(amounts)) {
    if (name === "seconds") shown[name] = format.duration(amount);
    else if (name === "balance" && currency) shown[name] = format.money(amount, currency);
    else if (name !== "count") shown[name] = format.number(amount);
  }
  const reason = matter.reason && textOr(`overview.pauseReasons.${matter.reason}`, matter.reason);
  const Icon = severity === "bad" ? IconExclamationCircle : IconAlertTriangle;
  const title = t(`overview.matters.${kind}.title`, shown);
  const next = t(`overview.matters.${kind}.next`, shown);
  return (
    <li>
      <Icon size={18} color={`var(--mantine-color-${severity === "bad" ? "red" : "yellow"}-6)`} aria-hidden />
      <div>
        <Text size="sm" fw={500}>
          {link ? (
            <Anchor component={Link} to={link} c="inherit" underline="always" inherit>
              {title}
            </Anchor>
          ) : (
            title
          )}
        </Text>
        <Text size="xs" c="dimmed">
          {[reason, next].filter(Boolean).join(" ")}
          {at && (
            <>
              {" "}
              {t(`overview.at.${kind === "projectStuck" ? "last" : "again"}`)} <Time value={at} exact />.
            </>
          )}
        </Text>
      </div>
    </li>
  );
}

export function BalancesCard({ accounts }: { accounts: AttentionAccountFragment[] }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("overview.balances")}
      </Title>
      {accounts.length === 0 ? (
        <Text size="sm">{t("overview.noAccounts")}</Text>
      ) : (
        <BalanceTable
          accounts={accounts}
          titles={{ name: t("overview.account"), balance: t("overview.balance") }}
        />
      )}
    </Paper>
  );
}
