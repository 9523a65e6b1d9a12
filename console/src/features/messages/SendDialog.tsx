import {
  Alert,
  Anchor,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { Link } from "react-router";
import { useClient } from "urql";
import type {
  ChoicesQuery,
  MessageChannel,
  SendMessage as SendMessageInput,
  SendMessageMutation,
} from "../../gql/graphql";
import { NETWORK } from "../../frame/api/errors";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useBilling } from "../../frame/billing";
import { useTyped } from "../../frame/typed";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { FromField } from "../../frame/sender/FromField";
import { SenderField } from "../../frame/sender/SenderField";
import { SampleRecipients } from "../../frame/sandbox/SampleRecipients";
import { SandboxNotice } from "../../frame/sandbox/SandboxNotice";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { Segments, SendMessage } from "./documents";
import { useContentKey } from "../../frame/api/ContentKey";
import { DIRECT_CHANNELS } from "./search";

export interface Draft {
  channel: MessageChannel;
  to: string;
  body: string;
  title: string;
  account: string | null;
  from?: string;
  sender?: string;
}

interface Props {
  choices: ChoicesQuery | undefined;
  draft?: Draft;
  /** whom a link says; the rest of the draft is empty */
  recipient?: Pick<Draft, "channel" | "to"> | null;
  onClose: () => void;
  onSent: () => void;
}

type Sent = NonNullable<SendMessageMutation["sendMessage"]>;
/** the form's names of what the API calls otherwise */
const NAMES = { "metadata.subject": "title", "metadata.title": "title", accountId: "account" } as const;
const TYPING_MS = 600;
const EMPTY: Draft = { channel: "sms", to: "", body: "", title: "", account: null, from: "", sender: "" };

export function SendDialog({ choices, draft: initial = EMPTY, recipient = null, ...props }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const isNew = initial === EMPTY && !recipient;
  const typed = useTyped<Draft>(isNew ? "send" : null, { ...initial, ...recipient });
  const form = useRequestForm<Draft & Record<string, unknown>>({
    initialValues: { ...EMPTY, ...typed.values },
    onValuesChange: typed.keep,
    names: NAMES,
    shown: ({ channel }) =>
      channel === "sms"
        ? ["to", "sender", "body", "account"]
        : ["to", "title", "body", "account", ...(channel === "email" ? (["from"] as const) : [])],
  });
  const draft = form.getValues();
  const [sent, setSent] = useState<Sent | null>(null);
  const keys = useContentKey();
  const { onSent } = props;
  const onClose = () => {
    typed.forget();
    props.onClose();
  };
  const accounts = choices?.accounts?.nodes ?? [];

  const send = form.sends(async (values) => {
    const input = inputOf(values);
    // The same message keeps its key, so trying again after a lost answer sends nothing twice.
    const { data, error } = await client.mutation(SendMessage, { input }, keys.of(input)).toPromise();
    if (!data?.sendMessage) return error;
    keys.renew();
    typed.forget();
    setSent(data.sendMessage);
    onSent();
  });

  if (sent) return <Done message={sent} onClose={onClose} onAnother={() => setSent(null)} />;
  return (
    <FormDialog
      title={t("send.title")}
      size="lg"
      form={{
        ...form,
        isDirty: () => form.isDirty() || (isNew && Boolean(draft.to || draft.body || draft.title)),
      }}
      onSubmit={send}
      action={t("send.submit")}
      disabled={!draft.to.trim() || !draft.body}
      footer={form.refused?.code === NETWORK && <Text size="xs">{t("send.safeToRepeat")}</Text>}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t("messages.columns.channel")}
        {...form.getInputProps("channel")}
        data={DIRECT_CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
      />
      <TextInput
        data-autofocus
        label={t(`send.to.${draft.channel}`)}
        withAsterisk
        placeholder={t(`send.example.${draft.channel}`)}
        {...form.getInputProps("to")}
      />
      <SampleRecipients channel={draft.channel} onChoose={(to) => form.setFieldValue("to", to)} />
      {draft.channel === "email" && <FromField {...form.getInputProps("from")} />}
      {draft.channel === "sms" && <SenderField to={draft.to} {...form.getInputProps("sender")} />}
      {draft.channel !== "sms" && (
        <TextInput
          label={t(draft.channel === "email" ? "send.subject" : "send.pushTitle")}
          {...form.getInputProps("title")}
        />
      )}
      <Textarea
        label={t("send.text")}
        withAsterisk
        autosize
        minRows={4}
        maxRows={12}
        {...form.getInputProps("body")}
      />
      <Select
        label={t("messages.account")}
        placeholder={t("send.oldestAccount")}
        clearable
        {...form.getInputProps("account")}
        data={accounts.map(({ uuid, name, currency }) => ({
          value: uuid,
          label: `${name} (${currency})`,
        }))}
      />
      <Price draft={draft} choices={choices} />
      <SandboxNotice channel={draft.channel} when="before" />
    </FormDialog>
  );
}

function inputOf(draft: Draft): SendMessageInput {
  const title = draft.title.trim();
  const from = draft.from?.trim();
  return {
    channel: draft.channel,
    to: draft.to.trim(),
    body: draft.body,
    accountId: draft.account,
    ...(from && draft.channel === "email" && { from }),
    ...(draft.sender && draft.channel === "sms" && { sender: draft.sender }),
    ...(title && draft.channel === "email" && { metadata: { subject: title } }),
    ...(title && draft.channel === "push" && { metadata: { title } }),
  };
}

/** What the message will cost; an SMS is counted by the server. */
function Price({ draft, choices }: { draft: Draft; choices: ChoicesQuery | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const [body] = useDebouncedValue(draft.body, TYPING_MS);
  const isSms = draft.channel === "sms";
  // The text is a variable of the preview, so that braces in it are only text.
  const preview = useLoaded(Segments, { variables: { body } }, !isSms || !body);
  const segments = isSms && body ? (preview.data?.previewMessage?.segments ?? null) : 1;
  const accounts = choices?.accounts?.nodes ?? [];
  const account = accounts.find(({ uuid }) => uuid === draft.account) ?? accounts.at(-1);
  const prices = choices?.tariff?.prices as Record<string, Record<string, number> | undefined> | undefined;
  const price = account ? prices?.[account.currency]?.[draft.channel] : undefined;
  const parts = [
    isSms && body && segments !== null ? t("send.segments", { count: segments }) : "",
    account && price !== undefined && segments !== null && !isFree
      ? format.money(price * segments, account.currency)
      : "",
  ].filter(Boolean);
  return (
    <Text size="xs" c="dimmed" mih={18} role="status">
      {parts.join(" · ")}
    </Text>
  );
}

function Done({
  message,
  onClose,
  onAnother,
}: {
  message: Sent;
  onClose: () => void;
  onAnother: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const price = message.account ? format.money(message.price, message.account.currency) : "";
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("send.title")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack>
        <Alert color="teal" role="status" title={t("send.accepted")}>
          {isFree ? t("send.goesTo", { to: message.to }) : t("send.charged", { price, to: message.to })}
          {message.channel === "sms" && ` ${t("send.segments", { count: message.segments })}.`}
        </Alert>
        <SandboxNotice channel={message.channel} when="after" />
        <Group justify="space-between">
          <Anchor component={Link} to={`/messages/${message.uuid}`} size="sm">
            {t("send.open")}
          </Anchor>
          <Group gap="xs">
            <Button variant="default" onClick={onAnother}>
              {t("send.another")}
            </Button>
            <Button onClick={onClose}>{t("common.close")}</Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
