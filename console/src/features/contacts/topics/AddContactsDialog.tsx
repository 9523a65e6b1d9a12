import "@mantine/core/styles/Radio.css";
import { Alert, Anchor, Group, Pill, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { addressOn } from "../../../frame/contacts/person";
import { PersonSelect } from "../../../frame/contacts/PersonSelect";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { useSegments } from "../../../frame/segments/useSegments";
import type { Topic } from "../../../frame/topics/useTopics";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { PersonFragment, ProjectChannel } from "../../../gql/graphql";
import { SubscribeContacts } from "../consent/documents";
import { CHANNELS } from "../search";
import { SubscribeSegment } from "./documents";

interface Props {
  topic: Topic;
  onClose: () => void;
  /** chosen contacts are subscribed: the message says how many */
  onDone: (message: string) => void;
  /** the contacts of a segment are being subscribed by this import */
  onBegun: (uuid: string) => void;
}

const WHO = ["segment", "all", "chosen"] as const;
type Who = (typeof WHO)[number];
const MOST_CHOSEN = 100;

/** Subscribes contacts that are there already: those of a segment, all, or some that are chosen one by one. */
export function AddContactsDialog({ topic, onClose, onDone, onBegun }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const { segments, loaded, problem, reload } = useSegments();
  const [people, setPeople] = useState<readonly PersonFragment[]>([]);
  const form = useRequestForm({
    initialValues: {
      who: "segment" as Who,
      segmentUuid: null as string | null,
      channel: "email" as ProjectChannel,
      evidence: "",
    },
  });
  const { who, segmentUuid, channel, evidence } = form.getValues();
  const none = loaded && segments.length === 0;
  const nobody = who === "chosen" ? people.length === 0 : who === "segment" && !segmentUuid;

  const add = form.sends(async (values) => {
    const about = {
      topicUuids: [topic.uuid],
      channel: values.channel,
      evidence: values.evidence.trim(),
    };
    if (values.who !== "chosen") {
      const input = { ...about, segmentUuid: values.who === "segment" ? values.segmentUuid : null };
      const { data, error } = await client.mutation(SubscribeSegment, { input }, keys.of(input)).toPromise();
      if (!data?.subscribeSegment) return error;
      keys.renew();
      onBegun(data.subscribeSegment.uuid);
      return;
    }
    const input = { ...about, contactUuids: people.map(({ uuid }) => uuid), keepWithdrawn: true };
    const { data, error } = await client.mutation(SubscribeContacts, { input }).toPromise();
    if (!data?.subscribeContacts) return error;
    const { active, unchanged, invalid } = data.subscribeContacts;
    const withdrawn = invalid.filter(({ code }) => code === "withdrawn").length;
    const numbers = {
      subscribed: active,
      subscribedBefore: unchanged,
      withdrawnBefore: withdrawn,
      withoutAddress: invalid.length - withdrawn,
    };
    onDone(
      Object.entries(numbers)
        .filter(([, number]) => number > 0)
        .map(([name, number]) =>
          t(`contactLists.${name as keyof typeof numbers}`, { number: format.number(number) }),
        )
        .join(" · "),
    );
  });

  return (
    <FormDialog
      title={t("subscriptions.addTitle", { name: topic.name })}
      form={form}
      onSubmit={add}
      action={t("subscriptions.addContacts")}
      disabled={(nobody && t("subscriptions.needPeople")) || !evidence.trim()}
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Radio.Group label={t("subscriptions.who")} {...form.getInputProps("who")}>
        <Stack gap={8} mt={6}>
          {WHO.map((value) => (
            <Radio key={value} value={value} label={t(`subscriptions.whos.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        label={t("contacts.channel")}
        allowDeselect={false}
        data={CHANNELS.map((value) => ({ value, label: t(`contacts.channels.${value}`) }))}
        {...form.getInputProps("channel")}
      />
      {who === "segment" && none && <Text size="sm">{t("segments.empty")}</Text>}
      {who === "segment" && !none && (
        <Select
          label={t("subscriptions.segment")}
          withAsterisk
          searchable
          allowDeselect={false}
          data={segments.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          {...form.getInputProps("segmentUuid")}
        />
      )}
      {who === "chosen" && <Chosen people={people} channel={channel} onChange={setPeople} />}
      <TextInput
        label={t("consents.evidence")}
        withAsterisk
        description={t("contactLists.evidenceHint")}
        placeholder={t("subscriptions.evidenceExample")}
        maxLength={1000}
        {...form.getInputProps("evidence")}
      />
      <Alert role="note">{t("contactLists.subscribeHint")}</Alert>
    </FormDialog>
  );
}

interface ChosenProps {
  people: readonly PersonFragment[];
  channel: ProjectChannel;
  onChange: (people: readonly PersonFragment[]) => void;
}

/** The contacts that were chosen, and a field for the next one. */
function Chosen({ people, channel, onChange }: ChosenProps) {
  const { t } = useTranslation();
  const nameOf = (person: PersonFragment) =>
    person.name || addressOn(person, channel) || person.externalId || t("contacts.nameless");
  return (
    <Stack gap={6}>
      {people.length < MOST_CHOSEN && (
        <PersonSelect
          key={people.length}
          label={t("subscriptions.person")}
          channel={channel}
          value={null}
          onChange={(person) => {
            if (person && !people.some(({ uuid }) => uuid === person.uuid)) onChange([...people, person]);
          }}
        />
      )}
      {people.length > 0 && (
        <Group gap={6} aria-label={t("subscriptions.whos.chosen")} role="group">
          {people.map((person) => (
            <Pill
              key={person.uuid}
              withRemoveButton
              removeButtonProps={{
                "aria-label": t("segments.remove", { label: nameOf(person) }),
                "aria-hidden": false,
                tabIndex: 0,
              }}
              onRemove={() => onChange(people.filter(({ uuid }) => uuid !== person.uuid))}
            >
              {nameOf(person)}
            </Pill>
          ))}
          <Anchor component="button" type="button" size="xs" onClick={() => onChange([])}>
            {t("subscriptions.removeAll")}
          </Anchor>
        </Group>
      )}
    </Stack>
  );
}
