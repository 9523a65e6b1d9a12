import "@mantine/core/styles/Radio.css";
import { Alert, Radio, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { TopicChoice } from "../../../frame/topics/TopicChoice";
import { useTopics } from "../../../frame/topics/useTopics";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { OneContactQuery } from "../../../gql/graphql";
import { CHANNELS } from "../search";
import { SubscribeContacts } from "./documents";

interface Props {
  contact: NonNullable<OneContactQuery["contact"]>;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Subscribes a person to topics: with evidence, or by asking the person to confirm. */
export function SubscribeDialog({ contact, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { topics, loaded, problem, reload } = useTopics();
  // Messages can only go to a channel of which the person has an address.
  const channels = CHANNELS.filter((channel) => contact.addresses.some((one) => one.channel === channel));
  const [refused, setRefused] = useState<readonly string[]>([]);
  const form = useRequestForm({
    initialValues: {
      topicUuids: [] as string[],
      channel: channels[0] ?? "email",
      way: "evidence" as "evidence" | "ask",
      evidence: "",
      text: "",
    },
    shown: ({ way }) => [
      "topicUuids",
      "channel",
      "text",
      ...(way === "evidence" ? ["evidence" as const] : []),
    ],
    onValuesChange: () => setRefused([]),
  });
  const { topicUuids, way, evidence } = form.getValues();

  const subscribe = form.sends(async (values) => {
    setRefused([]);
    const input = {
      contactUuids: [contact.uuid],
      topicUuids: values.topicUuids,
      channel: values.channel,
      evidence: values.way === "evidence" ? values.evidence.trim() : null,
      text: values.text.trim() || null,
    };
    const { data, error } = await client.mutation(SubscribeContacts, { input }).toPromise();
    if (!data?.subscribeContacts) return error;
    const { active, pending, invalid } = data.subscribeContacts;
    if (invalid.length > 0) {
      setRefused(invalid.map(({ message }) => message));
      return;
    }
    onDone(
      [
        active > 0 && t("subscriptions.becameActive", { count: active, number: format.number(active) }),
        pending > 0 && t("subscriptions.becamePending", { count: pending, number: format.number(pending) }),
        active + pending === 0 && t("subscriptions.unchanged"),
      ]
        .filter(Boolean)
        .join(" "),
    );
  });

  return (
    <FormDialog
      title={t("subscriptions.subscribe")}
      form={form}
      onSubmit={subscribe}
      action={t("subscriptions.subscribe")}
      disabled={
        (topicUuids.length === 0 && t("subscriptions.needTopic")) || (way === "evidence" && !evidence.trim())
      }
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {loaded && topics.length === 0 && <Text size="sm">{t("topics.needOne")}</Text>}
      {topics.length > 0 && (
        <TopicChoice
          label={t("topics.title")}
          rows={topics}
          value={topicUuids}
          error={form.errors.topicUuids}
          onChange={(value) => form.setFieldValue("topicUuids", value)}
        />
      )}
      <Select
        label={t("contacts.channel")}
        allowDeselect={false}
        data={(channels.length > 0 ? channels : CHANNELS).map((value) => ({
          value,
          label: t(`contacts.channels.${value}`),
        }))}
        {...form.getInputProps("channel")}
      />
      <Radio.Group label={t("subscriptions.way")} {...form.getInputProps("way")}>
        <Stack gap={8} mt={6}>
          <Radio
            value="evidence"
            label={t("subscriptions.ways.evidence")}
            description={t("subscriptions.evidenceWayHint")}
          />
          <Radio
            value="ask"
            label={t("subscriptions.ways.ask")}
            description={t("subscriptions.askWayHint")}
          />
        </Stack>
      </Radio.Group>
      {way === "evidence" && (
        <TextInput
          label={t("consents.evidence")}
          withAsterisk
          placeholder={t("subscriptions.evidenceExample")}
          maxLength={1000}
          {...form.getInputProps("evidence")}
        />
      )}
      <Textarea
        label={t("consents.text")}
        description={t("subscriptions.textHint")}
        autosize
        minRows={2}
        maxLength={10_000}
        {...form.getInputProps("text")}
      />
      {refused.length > 0 && (
        <Alert color="red" role="alert" title={t("subscriptions.refused")}>
          {refused.map((message) => (
            <Text key={message} size="sm">
              {message}
            </Text>
          ))}
        </Alert>
      )}
    </FormDialog>
  );
}
