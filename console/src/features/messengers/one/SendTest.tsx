import { Alert, Anchor, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { plainPhone } from "../../../frame/values/phone";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { SendMessengerTest } from "../documents";
import type { Account } from "./useAccount";

/** Sends one message through the account, to see that it works. */
export function SendTest({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const { uses } = useViewer();
  const client = useClient();
  // The same message keeps its key, so trying again after a lost answer sends nothing twice.
  const keys = useContentKey();
  const [sent, setSent] = useState(false);
  const form = useRequestForm({
    initialValues: {
      to: account.driver === "sandbox" ? "+15005550000" : "",
      text: t("messengers.test.example"),
    },
    onValuesChange: () => setSent(false),
  });
  const { to, text } = form.getValues();

  const send = form.sends(async ({ to, text }) => {
    const message = { to: to.startsWith("+") ? plainPhone(to) : to, text };
    const input = { ...message, idempotencyKey: keys.keyOf(message) };
    const { error } = await client.mutation(SendMessengerTest, { id: account.uuid, input }).toPromise();
    if (error) return error;
    setSent(true);
  });
  return (
    <FormDialog
      title={t("messengers.test.title", { name: account.name })}
      form={{ ...form, isDirty: () => !sent && form.isDirty() }}
      onSubmit={send}
      action={t("messengers.test.send")}
      disabled={sent ? t("messengers.test.wasSent") : !to.trim() || !text.trim()}
      cancel={t(sent ? "common.close" : "common.cancel")}
      footer={
        sent && (
          <Alert color="teal" role="status">
            <Text size="sm">
              {t("messengers.test.sent", { messenger: t(`channels.${account.source}`) })}{" "}
              {uses("messengers") && (
                <Anchor component={Link} to={`/inbox?account=${account.uuid}`} size="sm">
                  {t("messengers.openInbox")}
                </Anchor>
              )}
            </Text>
          </Alert>
        )
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("messengers.test.to")}
        withAsterisk
        description={t(
          account.driver === "sandbox" ? "messengers.test.sandbox" : `messengers.test.hint.${account.source}`,
        )}
        {...form.getInputProps("to")}
      />
      <Textarea
        label={t("messengers.test.text")}
        withAsterisk
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps("text")}
      />
    </FormDialog>
  );
}
