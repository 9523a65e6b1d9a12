import { ActionIcon, Alert, Anchor, Badge, Button, Group, Menu, Paper, Switch, Text } from "@mantine/core";
import { IconDots, IconKey, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { MessengerWebhooksQuery, TestMessengerWebhookMutation } from "../../../gql/graphql";
import classes from "../messengers.module.css";
import { SwitchMessengerWebhook, TestMessengerWebhook } from "../webhookDocuments";
import { useAct } from "./useAct";

export type Hook = NonNullable<MessengerWebhooksQuery["webhooks"]>["nodes"][number];
type Tested = NonNullable<TestMessengerWebhookMutation["testWebhook"]>;

interface Props {
  hook: Hook;
  onChanged: () => void;
  onRotate: () => void;
  onDelete: () => void;
}

export function WebhookCard({ hook, onChanged, onRotate, onDelete }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const writes = may("messengers:write");
  const { act, busy, problem } = useAct();
  const [tested, setTested] = useState<Tested | null>(null);
  const failing = hook.enabled && hook.failures > 0;
  const health = !hook.enabled ? "off" : failing ? "failing" : "fine";
  const color = { off: "gray", failing: "red", fine: "teal" }[health];

  async function test() {
    setTested(null);
    const done = await act(TestMessengerWebhook, { id: hook.uuid });
    if (done?.testWebhook) setTested(done.testWebhook);
    onChanged();
  }
  return (
    <Paper p="sm" component="article" aria-label={hook.url}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Anchor component={Link} to={`/webhooks/${hook.uuid}`} size="sm" fw={500} className={classes.break}>
            {hook.url}
          </Anchor>
          <Group gap={6} mt={4}>
            <Badge variant="light" color={color} radius="sm" size="sm" tt="none" fw={500}>
              {t(`messengers.webhooks.health.${health}`)}
            </Badge>
            <Text size="xs" c="dimmed">
              {hook.deliveredAt ? (
                <>
                  {t("messengers.webhooks.delivered")} <Time value={hook.deliveredAt} />
                </>
              ) : (
                t("messengers.webhooks.never")
              )}
              {hook.waiting > 0 &&
                ` · ${t("messengers.webhooks.waiting", { number: format.number(hook.waiting) })}`}
              {hook.dead > 0 && ` · ${t("messengers.webhooks.dead", { number: format.number(hook.dead) })}`}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {hook.events.length === 0
              ? t("messengers.webhooks.allEvents")
              : hook.events.map((event) => t(`messengers.webhooks.event.${event}`)).join(", ")}
          </Text>
          {(failing || hook.disabledReason) && (
            <Text size="xs" className={classes.bad} mt={4}>
              {hook.disabledReason ?? hook.lastError}
              {failing && hook.nextAt && (
                <>
                  {" "}
                  {t("messengers.webhooks.nextTry")} <Time value={hook.nextAt} />
                </>
              )}
            </Text>
          )}
        </div>
        <Group gap={6} wrap="nowrap">
          {may("events:write") && (
            <Button variant="default" size="compact-xs" loading={busy} onClick={() => void test()}>
              {t("messengers.webhooks.test")}
            </Button>
          )}
          {writes && (
            <Menu>
              <Menu.Target>
                <ActionIcon variant="subtle" aria-label={t("messengers.webhooks.more", { url: hook.url })}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconKey size={14} />} onClick={onRotate}>
                  {t("messengers.webhooks.rotate")}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconTrash size={14} />}
                  color="var(--console-danger)"
                  onClick={onDelete}
                >
                  {t("messengers.webhooks.delete")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Switch
        mt={8}
        size="xs"
        label={t("messengers.webhooks.enabled")}
        checked={hook.enabled}
        disabled={busy || !writes}
        onChange={(event) => {
          const enabled = event.currentTarget.checked;
          void act(SwitchMessengerWebhook, { id: hook.uuid, enabled }).then(onChanged);
        }}
      />
      {tested && (
        <Alert mt={8} color={tested.delivered ? "teal" : "red"} role="status">
          {tested.delivered
            ? t("messengers.webhooks.accepted", {
                status: tested.status ?? "",
                milliseconds:
                  tested.seconds === null ? "–" : format.number(Math.round(tested.seconds * 1000)),
              })
            : t("messengers.webhooks.refused", { error: tested.error ?? `HTTP ${tested.status ?? "–"}` })}
        </Alert>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </Paper>
  );
}
