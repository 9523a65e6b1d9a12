import { SegmentedControl, Select, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { useClient } from "urql";
import type { ChoicesQuery } from "../../../gql/graphql";
import { NETWORK } from "../../../frame/api/errors";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTyped } from "../../../frame/typed";
import { FromField } from "../../../frame/sender/FromField";
import { SenderField } from "../../../frame/sender/SenderField";
import { SampleRecipients } from "../../../frame/sandbox/SampleRecipients";
import { SandboxNotice } from "../../../frame/sandbox/SandboxNotice";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { SendMessage } from "./documents";
import { DIRECT_CHANNELS } from "../search";
import { Done, type Sent } from "./Done";
import { EMPTY, fieldsOf, inputOf, messengerOf, MOST_DAYS, NAMES, type Draft } from "./draft";
import { LaterField } from "./LaterField";
import { Price } from "./Price";
import { explained, Refusal } from "./Refusal";
import { SourceField } from "./SourceField";
import { useSources } from "./useSources";
import classes from "../messages.module.css";

interface Props {
  choices: ChoicesQuery | undefined;
  draft?: Draft;
  /** whom a link says; the rest of the draft is empty */
  recipient?: Pick<Draft, "channel" | "to"> | null;
  onClose: () => void;
  onSent: () => void;
}

export function SendDialog({ choices, draft: initial = EMPTY, recipient = null, ...props }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const isNew = initial === EMPTY && !recipient;
  const typed = useTyped<Draft>(isNew ? "send" : null, { ...initial, ...recipient });
  const form = useRequestForm<Draft & Record<string, unknown>>({
    initialValues: { ...EMPTY, ...typed.values },
    onValuesChange: typed.keep,
    names: NAMES,
    shown: fieldsOf,
  });
  const draft = form.getValues();
  const [sent, setSent] = useState<Sent | null>(null);
  const keys = useContentKey();
  const sources = useSources();
  const { onSent } = props;
  const onClose = () => {
    typed.forget();
    props.onClose();
  };
  const accounts = choices?.accounts?.nodes ?? [];
  const messenger = messengerOf(draft.channel);
  // Messages of messengers leave through accounts; only without one the channel's route counts.
  const byRoute = messenger === null || sources[messenger].length === 0;
  const refusal = explained(form.problem);
  const channels = DIRECT_CHANNELS.filter((channel) => {
    const its = messengerOf(channel);
    return channel === draft.channel || its === null || sources[its].length > 0;
  });

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
        problem: refusal ? null : form.problem,
        isDirty: () => form.isDirty() || (isNew && Boolean(draft.to || draft.body || draft.title)),
      }}
      onSubmit={send}
      action={t(typeof draft.sendAt === "string" ? "send.schedule" : "send.submit")}
      disabled={!draft.to.trim() || !draft.body || draft.sendAt === ""}
      footer={
        <>
          {refusal && <Refusal code={refusal} draft={draft} />}
          {form.refused?.code === NETWORK && <Text size="xs">{t("send.safeToRepeat")}</Text>}
        </>
      }
      onClose={onClose}
    >
      <SegmentedControl
        className={classes.channels}
        aria-label={t("messages.columns.channel")}
        {...form.getInputProps("channel")}
        data={channels.map((value) => ({ value, label: t(`channels.${value}`) }))}
      />
      <TextInput
        data-autofocus
        label={t(`send.to.${draft.channel}`)}
        withAsterisk
        placeholder={t(`send.example.${draft.channel}`)}
        {...form.getInputProps("to")}
      />
      {byRoute && (
        <SampleRecipients channel={draft.channel} onChoose={(to) => form.setFieldValue("to", to)} />
      )}
      {messenger && <SourceField sources={sources[messenger]} {...form.getInputProps("source")} />}
      {draft.channel === "email" && <FromField {...form.getInputProps("from")} />}
      {draft.channel === "email" && (
        <TextInput
          label={t("send.replyTo")}
          description={t("send.replyToHint")}
          maxLength={320}
          {...form.getInputProps("replyTo")}
        />
      )}
      {draft.channel === "sms" && <SenderField to={draft.to} {...form.getInputProps("sender")} />}
      {(draft.channel === "email" || draft.channel === "push") && (
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
      <LaterField
        {...form.getInputProps("sendAt")}
        error={
          form.refused?.code === "bad_send_at" ? t("send.badTime", { days: MOST_DAYS }) : form.errors.sendAt
        }
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
      {byRoute && <SandboxNotice channel={draft.channel} when="before" />}
    </FormDialog>
  );
}
