import { MultiSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { useFormat } from "../../frame/values/format";
import { instantOf, localOf } from "../../frame/values/localTime";
import { ReplayEventSink } from "./documents";
import type { SinkRow } from "./useEventSinks";
import { useTypes } from "./useTypes";

interface Props {
  row: SinkRow;
  onDone: (notice: string) => void;
  onClose: () => void;
}

const HOUR_MS = 3_600_000;

/** Publishes events of the feed again, from a time on. */
export function ReplayDialog({ row, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const all = useTypes();
  const [anHourAgo] = useState(() => localOf(new Date(Date.now() - HOUR_MS).toISOString()));
  const form = useRequestForm({ initialValues: { since: anHourAgo, types: [] as string[] } });
  const { since, types } = form.getValues();

  const replay = form.sends(async ({ since, types }) => {
    const input = { since: instantOf(since), types: types.length > 0 ? types : null };
    const { data, error } = await client.mutation(ReplayEventSink, { id: row.uuid, input }).toPromise();
    const count = data?.replayEventSink;
    if (typeof count !== "number") return error;
    onDone(t("eventSinks.replayed", { count, number: format.number(count) }));
  });

  return (
    <FormDialog
      title={t("eventSinks.replayTitle", { name: row.name })}
      form={form}
      onSubmit={replay}
      action={t("eventSinks.replaySubmit")}
      disabled={!instantOf(since)}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t("eventSinks.replayText")}
      </Text>
      <TextInput
        data-autofocus
        type="datetime-local"
        label={t("eventSinks.since")}
        withAsterisk
        {...form.getInputProps("since")}
      />
      <MultiSelect
        label={t("eventSinks.types")}
        placeholder={types.length === 0 ? t("eventSinks.typesOfSink") : undefined}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("eventSinks.clearTypes") }}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        nothingFoundMessage={t("eventSinks.noType")}
        data={row.types.length > 0 ? row.types : all}
        {...form.getInputProps("types")}
      />
    </FormDialog>
  );
}
