import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useSegments } from "../../frame/segments/useSegments";
import { useTopics } from "../../frame/topics/useTopics";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { SeriesRowFragment } from "../../gql/graphql";
import { CreateSeries, UpdateSeries } from "./documents";
import { draftOf, inputOf, isComplete, newStep, type SeriesDraft } from "./draft";
import { StepFields } from "./StepFields";
import { useSeriesTemplates } from "./useSeriesTemplates";

const MOST = 20;

interface Props {
  /** absent for a new one */
  series?: SeriesRowFragment;
  onClose: () => void;
  onSaved: (uuid: string) => void;
}

/** Makes a series, or changes one that does not run. */
export function SeriesDialog({ series, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const { topics } = useTopics();
  const { segments } = useSegments();
  const { templates } = useSeriesTemplates();
  const form = useRequestForm<SeriesDraft>({ initialValues: draftOf(series) });
  const draft = form.getValues();
  const started = series?.startedAt != null;

  const save = form.sends(async (values) => {
    const input = inputOf(values);
    if (series) {
      const { data, error } = await client.mutation(UpdateSeries, { id: series.uuid, input }).toPromise();
      if (!data?.updateSeries) return error;
      onSaved(series.uuid);
      return;
    }
    const { data, error } = await client.mutation(CreateSeries, { input }, keys.of(input)).toPromise();
    if (!data?.createSeries) return error;
    keys.renew();
    onSaved(data.createSeries.uuid);
  });

  /** The purpose is that of the topic, as the people have agreed to it. */
  function chooseTopic(uuid: string | null) {
    form.setFieldValue("topic", uuid ?? "");
    const topic = topics.find((each) => each.uuid === uuid);
    if (topic) form.setFieldValue("category", topic.category);
  }

  const setSteps = (steps: SeriesDraft["steps"]) => form.setFieldValue("steps", steps);

  return (
    <FormDialog
      size="lg"
      title={t(series ? "series.editTitle" : "series.add")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={!isComplete(draft)}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("series.name")}
        withAsterisk
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <Select
        label={t("series.topic")}
        description={t("series.topicHint")}
        disabled={started}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("series.noTopic") }}
        data={topics.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={draft.topic || null}
        onChange={chooseTopic}
      />
      <Select
        label={t("series.segment")}
        description={t("series.segmentHint")}
        disabled={started}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("series.noSegment") }}
        data={segments.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={draft.segment || null}
        onChange={(value) => form.setFieldValue("segment", value ?? "")}
      />
      {draft.topic === "" && (
        <Select
          label={t("series.category")}
          description={t("series.categoryHint")}
          allowDeselect={false}
          disabled={started}
          data={(["promotional", "transactional"] as const).map((value) => ({
            value,
            label: t(`series.categories.${value}`),
          }))}
          {...form.getInputProps("category")}
        />
      )}
      <Stack gap="xs">
        {draft.steps.map((step, index) => (
          <StepFields
            key={index}
            number={index + 1}
            step={step}
            templates={templates}
            started={started}
            onChange={(changed) => setSteps(draft.steps.map((each, at) => (at === index ? changed : each)))}
            onRemove={
              draft.steps.length > 1 && !started
                ? () => setSteps(draft.steps.filter((_, at) => at !== index))
                : undefined
            }
          />
        ))}
        {!started && draft.steps.length < MOST && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setSteps([...draft.steps, newStep(false)])}
          >
            {t("series.addStep")}
          </Button>
        )}
      </Stack>
      <Checkbox
        label={t("series.existing")}
        disabled={started}
        checked={draft.existing === "enter"}
        onChange={(event) => form.setFieldValue("existing", event.currentTarget.checked ? "enter" : "skip")}
      />
      <Checkbox
        label={t("series.stopOnReply")}
        checked={draft.stopOnReply}
        onChange={(event) => form.setFieldValue("stopOnReply", event.currentTarget.checked)}
      />
      {draft.segment !== "" && (
        <Checkbox
          label={t("series.stopOnLeave")}
          checked={draft.stopOnLeave}
          onChange={(event) => form.setFieldValue("stopOnLeave", event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
