import { Alert, Anchor, Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useRef, useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { elsewhere } from "../../../frame/api/errors";
import { newIdempotencyKey } from "../../../frame/api/client";
import { plainPhone } from "../../../frame/values/phone";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { SendMessengerTest } from "../documents";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

/** Sends one message through the account, to see that it works. */
export function SendTest({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  useFocusBack();
  const [to, setTo] = useState(account.driver === "sandbox" ? "+15005550000" : "");
  const [text, setText] = useState(t("messengers.test.example"));
  const [sent, setSent] = useState(false);
  // The same message keeps its key, so trying again after a lost answer sends nothing twice.
  const key = useRef<{ text: string; value: string }>(null);

  async function send(event: SubmitEvent) {
    event.preventDefault();
    const message = { to: to.startsWith("+") ? plainPhone(to) : to, text };
    const written = JSON.stringify(message);
    if (key.current?.text !== written) key.current = { text: written, value: newIdempotencyKey() };
    const input = { ...message, idempotencyKey: key.current.value };
    if (await act(SendMessengerTest, { id: account.uuid, input })) setSent(true);
  }
  const noticed = elsewhere(problem, ["to", "text"]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("messengers.test.title", { name: account.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={send} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("messengers.test.to")}
            description={t(
              account.driver === "sandbox"
                ? "messengers.test.sandbox"
                : `messengers.test.hint.${account.source}`,
            )}
            value={to}
            error={problem?.fields.to}
            onChange={(event) => {
              setTo(event.currentTarget.value);
              setSent(false);
              forget();
            }}
          />
          <Textarea
            label={t("messengers.test.text")}
            autosize
            minRows={2}
            maxRows={8}
            value={text}
            error={problem?.fields.text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setSent(false);
            }}
          />
          {noticed && <ProblemNotice problem={noticed} />}
          {sent && (
            <Alert color="teal" role="status">
              <Text size="sm">
                {t("messengers.test.sent", { messenger: t(`channels.${account.source}`) })}{" "}
                <Anchor component={Link} to={`/inbox?account=${account.uuid}`} size="sm">
                  {t("messengers.openInbox")}
                </Anchor>
              </Text>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t(sent ? "common.close" : "common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!to.trim() || !text.trim() || sent}>
              {t("messengers.test.send")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
