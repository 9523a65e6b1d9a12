import { MultiSelect, PasswordInput, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { ChangeEventSink, CreateEventSink } from "./documents";
import {
  draftOf,
  EMPTY,
  inputOf,
  isWhole,
  LONGEST_WINDOW,
  MOST_REPLICAS,
  patchOf,
  type Draft,
} from "./draft";
import classes from "./eventSinks.module.css";
import type { SinkRow } from "./useEventSinks";
import { useTypes } from "./useTypes";

interface Props {
  /** the sink that is changed; null: a new one is made */
  row: SinkRow | null;
  onDone: () => void;
  onClose: () => void;
}

/** Makes a sink, or changes one. The server tries the connection before it stores it. */
export function SinkDialog({ row, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const { isAdmin } = useViewer();
  const types = useTypes();
  const before = row ? draftOf(row) : EMPTY;
  const form = useRequestForm<Draft>({
    initialValues: before,
    validate: {
      replicas: (text) =>
        isWhole(text, MOST_REPLICAS) ? null : t("eventSinks.wrongNumber", { most: MOST_REPLICAS }),
      duplicateWindowSeconds: (text) =>
        isWhole(text, LONGEST_WINDOW) ? null : t("eventSinks.wrongNumber", { most: LONGEST_WINDOW }),
    },
  });
  const { name, url, stream, subject, types: chosen, makeStream } = form.getValues();
  const isComplete = name.trim() && stream.trim() && subject.trim() && (row ?? url.trim());

  const save = form.sends(async (values) => {
    const { error } = row
      ? await client.mutation(ChangeEventSink, { id: row.uuid, input: patchOf(before, values) }).toPromise()
      : await client.mutation(CreateEventSink, { input: inputOf(values) }).toPromise();
    if (error) return error;
    onDone();
  });

  return (
    <FormDialog
      title={row ? t("eventSinks.editTitle", { name: row.name }) : t("eventSinks.add")}
      size="lg"
      form={form}
      onSubmit={save}
      action={t(row ? "common.save" : "eventSinks.make")}
      disabled={!isComplete}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("eventSinks.name")}
        withAsterisk
        maxLength={100}
        {...form.getInputProps("name")}
      />
      <PasswordInput
        label={t("eventSinks.url")}
        withAsterisk
        description={row ? t("eventSinks.urlKept", { url: row.url }) : t("eventSinks.urlHint")}
        placeholder="tls://user:password@nats.example.com:4222"
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": t("eventSinks.showUrl") }}
        {...form.getInputProps("url")}
      />
      <Textarea
        label={t("eventSinks.credentials")}
        description={t(row ? "eventSinks.credentialsKept" : "eventSinks.credentialsHint")}
        className={classes.mono}
        minRows={2}
        maxRows={8}
        autosize
        spellCheck={false}
        {...form.getInputProps("credentials")}
      />
      <div className={classes.pair}>
        <TextInput
          label={t("eventSinks.stream")}
          withAsterisk
          maxLength={128}
          {...form.getInputProps("stream")}
        />
        <TextInput
          label={t("eventSinks.subject")}
          withAsterisk
          maxLength={255}
          className={classes.mono}
          {...form.getInputProps("subject")}
        />
      </div>
      <Text size="xs" c="dimmed">
        {t("eventSinks.subjectHint")}
      </Text>
      <Switch
        label={t("eventSinks.makeStream")}
        description={t("eventSinks.makeStreamHint")}
        {...form.getInputProps("makeStream", { type: "checkbox" })}
      />
      {makeStream && (
        <div className={classes.pair}>
          <TextInput
            label={t("eventSinks.replicas")}
            inputMode="numeric"
            {...form.getInputProps("replicas")}
          />
          <TextInput
            label={t("eventSinks.window")}
            inputMode="numeric"
            {...form.getInputProps("duplicateWindowSeconds")}
          />
        </div>
      )}
      <MultiSelect
        label={t("eventSinks.types")}
        description={t("eventSinks.typesHint")}
        placeholder={chosen.length === 0 ? t("eventSinks.everyType") : undefined}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("eventSinks.clearTypes") }}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        nothingFoundMessage={t("eventSinks.noType")}
        data={types}
        {...form.getInputProps("types")}
      />
      <Textarea
        label={t("eventSinks.query")}
        description={t("eventSinks.queryHint")}
        className={classes.mono}
        minRows={2}
        maxRows={12}
        autosize
        spellCheck={false}
        placeholder="subscription { events { uuid type at subjectId } }"
        {...form.getInputProps("query")}
      />
      {isAdmin && !row && (
        <Switch
          label={t("eventSinks.wholeInstallation")}
          description={t("eventSinks.wholeHint")}
          {...form.getInputProps("wholeInstallation", { type: "checkbox" })}
        />
      )}
    </FormDialog>
  );
}
