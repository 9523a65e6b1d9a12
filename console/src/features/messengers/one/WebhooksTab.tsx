import { Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Empty } from "../../../frame/ui/page/Empty";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { DeleteMessengerWebhook, MessengerWebhooks, RotateMessengerSecret } from "../webhookDocuments";
import { AddWebhook } from "./AddWebhook";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";
import { WebhookCard, type Hook } from "./WebhookCard";

const POLL_MS = 10_000;

/** Where the account's events are posted to. What was delivered in detail is on the webhook's own page. */
export function WebhooksTab({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(MessengerWebhooks, { id: account.uuid });
  const { act, problem: actProblem, forget } = useAct();
  const writes = useViewer().may("messengers:write");
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ value: string; url: string } | null>(null);
  const [confirming, setConfirming] = useState<{ what: "delete" | "rotate"; hook: Hook } | null>(null);
  useVisibleInterval(reload, POLL_MS);
  const hooks = data?.webhooks?.nodes ?? [];
  const ask = (what: "delete" | "rotate", hook: Hook) => {
    forget();
    setConfirming({ what, hook });
  };

  async function confirm() {
    if (!confirming) return;
    const { what, hook } = confirming;
    if (what === "rotate") {
      const done = await act(RotateMessengerSecret, { id: hook.uuid });
      if (!done) return;
      const value = done.rotateWebhookSecret?.secret;
      setSecret(value ? { value, url: hook.url } : null);
    } else if (!(await act(DeleteMessengerWebhook, { id: hook.uuid }))) return;
    setConfirming(null);
    reload();
  }

  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t("messengers.webhooks.title")}</Title>
        {writes && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            {t("messengers.webhooks.add")}
          </Button>
        )}
      </Group>
      {secret && (
        <SecretDialog
          title={t("messengers.webhooks.secretTitle", { url: secret.url })}
          secret={secret.value}
          onClose={() => setSecret(null)}
        >
          <Text size="sm">{t("messengers.webhooks.secretText")}</Text>
        </SecretDialog>
      )}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!data && loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {data && hooks.length === 0 && <Empty text={t("messengers.webhooks.empty")} />}
      {hooks.map((hook) => (
        <WebhookCard
          key={hook.uuid}
          hook={hook}
          onChanged={reload}
          onRotate={() => ask("rotate", hook)}
          onDelete={() => ask("delete", hook)}
        />
      ))}
      {adding && (
        <AddWebhook
          account={account.uuid}
          onClose={() => setAdding(false)}
          onAdded={(value, url) => {
            setAdding(false);
            setSecret(value ? { value, url } : null);
            reload();
          }}
        />
      )}
      <Confirm
        opened={confirming !== null}
        title={t(`messengers.webhooks.ask.${confirming?.what ?? "delete"}.title`)}
        question={t(`messengers.webhooks.ask.${confirming?.what ?? "delete"}.text`, {
          url: confirming?.hook.url ?? "",
        })}
        action={t(`messengers.webhooks.ask.${confirming?.what ?? "delete"}.action`)}
        problem={actProblem}
        onConfirm={confirm}
        onClose={() => setConfirming(null)}
      />
    </Stack>
  );
}
