import { Alert, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { Narrow } from "../../../frame/ui/page/Narrow";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { RenewProxy, StopMessenger, UpdateMessenger } from "../documents";
import { isInactive } from "../states";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

/** The way of the account's connections. It can be changed only while the account is stopped. */
export function ProxyTab({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const { act, busy, problem, forget } = useAct();
  const form = useRequestForm({ initialValues: { proxyString: "" } });
  const notice = useNotice();
  const [confirming, setConfirming] = useState<"stop" | "remove" | null>(null);
  const id = account.uuid;
  const writes = useViewer().may("messengers:write");
  const stopped = isInactive(account.state);

  const save = form.sends(async (values) => {
    notice.dismiss();
    forget();
    const input = { proxyString: values.proxyString.trim() };
    const { error } = await client.mutation(UpdateMessenger, { id, input }).toPromise();
    if (error) return error;
    form.reset();
    notice.show(t("messengers.proxy.saved"));
    onChanged();
  });
  async function remove() {
    notice.dismiss();
    if (!(await act(UpdateMessenger, { id, input: { proxyString: "" } }))) return;
    setConfirming(null);
    notice.show(t("messengers.proxy.removed"));
    onChanged();
  }
  async function renew() {
    notice.dismiss();
    form.forget();
    if (!(await act(RenewProxy, { id }))) return;
    notice.show(t("messengers.proxy.renewed"));
    onChanged();
  }
  async function stop() {
    if (await act(StopMessenger, { id })) setConfirming(null);
  }
  const ask = (question: "stop" | "remove") => {
    forget();
    setConfirming(question);
  };
  return (
    <Narrow>
      <Paper p="sm">
        <Title order={2} mb={4}>
          {t("messengers.tabs.proxy")}
        </Title>
        {account.proxy ? <Code>{account.proxy}</Code> : <Text size="sm">{t("messengers.proxy.none")}</Text>}
        <Text size="xs" c="dimmed" mt={6}>
          {t("messengers.proxy.text")}
        </Text>
      </Paper>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {writes && !stopped && (
        <Alert title={t("messengers.proxy.stopFirst")}>
          <Button variant="default" onClick={() => ask("stop")}>
            {t("messengers.stop")}
          </Button>
        </Alert>
      )}
      {writes && stopped && (
        <Paper p="sm">
          <form onSubmit={save} noValidate>
            <Stack gap="sm">
              <TextInput
                label={t("messengers.proxy.new")}
                description={t("messengers.proxy.form")}
                placeholder="socks5://user:password@203.0.113.7:1080"
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps("proxyString")}
              />
              {form.problem && <ProblemNotice problem={form.problem} />}
              {problem && !confirming && <ProblemNotice problem={problem} />}
              <Group gap={6}>
                <Button
                  type="submit"
                  loading={form.busy}
                  disabled={busy || !form.getValues().proxyString.trim()}
                >
                  {t("common.save")}
                </Button>
                <Button variant="default" disabled={busy} onClick={() => void renew()}>
                  {t("messengers.proxy.renew")}
                </Button>
                {account.proxy && (
                  <Button variant="subtle" color="red" disabled={busy} onClick={() => ask("remove")}>
                    {t("messengers.proxy.remove")}
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </Paper>
      )}
      <Confirm
        opened={confirming !== null}
        title={
          confirming === "stop"
            ? t("messengers.ask.stop.title", { name: account.name })
            : t("messengers.proxy.removeTitle")
        }
        question={t(confirming === "stop" ? "messengers.ask.stop.text" : "messengers.proxy.removeText")}
        action={t(confirming === "stop" ? "messengers.ask.stop.action" : "messengers.proxy.remove")}
        problem={problem}
        onConfirm={() => (confirming === "stop" ? stop() : remove())}
        onClose={() => setConfirming(null)}
      />
    </Narrow>
  );
}
