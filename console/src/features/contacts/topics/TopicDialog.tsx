import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Switch.css";
import { Group, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import type { Topic } from "../../../frame/topics/useTopics";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { CreateTopic, UpdateTopic } from "./documents";
import { draftOf, inputOf, type TopicDraft } from "./draft";
import { keyOf } from "../../../frame/values/key";
import { TranslationFields } from "./TranslationFields";

interface Props {
  /** absent for a new one */
  topic?: Topic;
  onClose: () => void;
  onSaved: (name: string, uuid: string) => void;
}

/** Adds a topic, or changes one. */
export function TopicDialog({ topic, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm<TopicDraft>({ initialValues: draftOf(topic) });
  const { name, key, translations } = form.getValues();

  const save = form.sends(async (draft) => {
    const input = inputOf(draft);
    let uuid = topic?.uuid ?? "";
    if (topic) {
      const { data, error } = await client.mutation(UpdateTopic, { id: topic.uuid, input }).toPromise();
      if (!data?.updateTopic) return error;
    } else {
      const { data, error } = await client.mutation(CreateTopic, { input }, keys.of(input)).toPromise();
      if (!data?.createTopic) return error;
      keys.renew();
      uuid = data.createTopic.uuid;
    }
    onSaved(input.name, uuid);
  });

  /** The key of a new topic follows its name until somebody writes another one. */
  function rename(next: string) {
    form.setFieldValue("name", next);
    if (!topic && key === keyOf(name)) form.setFieldValue("key", keyOf(next));
  }

  return (
    <FormDialog
      size="lg"
      title={t(topic ? "topics.editTitle" : "topics.add")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={!name.trim() || !key.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("topics.name")}
        withAsterisk
        description={t("topics.nameHint")}
        maxLength={100}
        {...form.getInputProps("name")}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        label={t("topics.key")}
        withAsterisk
        description={t("topics.keyHint")}
        placeholder="newsletter"
        maxLength={64}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("key")}
      />
      <Textarea
        label={t("topics.description")}
        autosize
        minRows={1}
        maxLength={500}
        {...form.getInputProps("description")}
      />
      <TranslationFields
        value={translations}
        error={form.errors.translations}
        onChange={(value) => form.setFieldValue("translations", value)}
      />
      <Group grow align="flex-start">
        <Select
          label={t("topics.category")}
          allowDeselect={false}
          data={(["promotional", "transactional"] as const).map((value) => ({
            value,
            label: t(`topics.categories.${value}`),
          }))}
          {...form.getInputProps("category")}
        />
        <NumberInput
          label={t("topics.position")}
          min={0}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps("position")}
        />
      </Group>
      <Select
        label={t("topics.optIn")}
        description={t("topics.optInHint")}
        allowDeselect={false}
        data={(["double", "none"] as const).map((value) => ({
          value,
          label: t(`topics.optIns.${value}`),
        }))}
        {...form.getInputProps("optIn")}
      />
      <Switch
        label={t("topics.public")}
        description={t("topics.publicHint")}
        {...form.getInputProps("public", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
