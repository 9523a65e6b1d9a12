import { Alert, Button, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { TopicChoice } from "../../../frame/topics/TopicChoice";
import { useTopics } from "../../../frame/topics/useTopics";
import type { ProjectChannel } from "../../../gql/graphql";
import { CHANNELS } from "../search";
import { TopicDialog } from "../topics/TopicDialog";

/** What a list asks of its people: the topics, and where the proof is that they want them. */
export type SubscriptionValues = { topicUuids: string[]; channel: ProjectChannel; evidence: string };

export const NO_SUBSCRIPTION: SubscriptionValues = { topicUuids: [], channel: "email", evidence: "" };

/** A form (useRequestForm) that has these values, among others. */
interface SubscriptionForm {
  getValues(): SubscriptionValues;
  errors: { topicUuids?: ReactNode };
  setFieldValue(name: "topicUuids", value: string[]): void;
  getInputProps(name: "channel" | "evidence"): object;
}

/** Returns what is sent; null without a topic. */
export function subscribeOf({ topicUuids, channel, evidence }: SubscriptionValues) {
  return topicUuids.length > 0 ? { topicUuids, channel, evidence: evidence.trim() } : null;
}

/** The topics that the people of the list want, and where the proof of it is. */
export function Subscription({ form, hasConsent }: { form: SubscriptionForm; hasConsent: boolean }) {
  const { t } = useTranslation();
  const { topics, reload } = useTopics();
  const [adding, setAdding] = useState(false);
  const { topicUuids } = form.getValues();
  const missing = hasConsent && topicUuids.length === 0;
  const notice = missing && (
    <Alert color="orange" role="note">
      {t(topics.length > 0 ? "contactLists.consentNeedsTopic" : "contactLists.consentNeedsNewTopic")}
    </Alert>
  );
  return (
    <>
      <TopicChoice
        label={t("contactLists.subscribe")}
        description={t("contactLists.subscribeHint")}
        rows={topics}
        value={topicUuids}
        error={form.errors.topicUuids}
        onChange={(value) => form.setFieldValue("topicUuids", value)}
      />
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => setAdding(true)}
      >
        {t("contactLists.newTopic")}
      </Button>
      {/* A portal's events reach the form that it is written in, and would import the list. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        {adding && (
          <TopicDialog
            onClose={() => setAdding(false)}
            onSaved={(_name, uuid) => {
              setAdding(false);
              reload();
              form.setFieldValue("topicUuids", [...form.getValues().topicUuids, uuid]);
            }}
          />
        )}
      </div>
      {notice}
      {topicUuids.length > 0 && (
        <>
          <Select
            maw={240}
            label={t("contacts.channel")}
            allowDeselect={false}
            data={CHANNELS.map((value) => ({ value, label: t(`contacts.channels.${value}`) }))}
            {...form.getInputProps("channel")}
          />
          <TextInput
            label={t("consents.evidence")}
            required
            description={t("contactLists.evidenceHint")}
            maxLength={1000}
            {...form.getInputProps("evidence")}
          />
        </>
      )}
    </>
  );
}
