import { Group, MultiSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useFormat } from "../../../../frame/values/format";
import { localOf } from "../../../../frame/values/localTime";
import { useTranslation } from "../../../../frame/i18n";
import { Notice } from "../../../../frame/ui/page/Notice";
import { FormDialog } from "../../../../frame/ui/dialogs/FormDialog";
import type { HookFragment } from "../../../../gql/graphql";
import { ReplayHook } from "../documents";
import { useChoices } from "../useChoices";

const HOUR_MS = 3_600_000;

/** Sends events of the feed again, from a time on. */
export function ReplayDialog({ hook, onClose }: { hook: HookFragment; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const choices = useChoices();
  const [anHourAgo] = useState(() => localOf(new Date(Date.now() - HOUR_MS).toISOString()));
  const [count, setCount] = useState<number | null>(null);
  const form = useRequestForm({
    initialValues: { since: anHourAgo, until: "", types: [] as string[] },
    onValuesChange: () => setCount(null),
  });
  const { since, types } = form.getValues();

  const replay = form.sends(async ({ since, until, types }) => {
    const input = {
      since: new Date(since).toISOString(),
      until: until ? new Date(until).toISOString() : null,
      types: types.length > 0 ? types : null,
    };
    const { data, error } = await client.mutation(ReplayHook, { id: hook.uuid, input }).toPromise();
    if (typeof data?.replayWebhook !== "number") return error;
    setCount(data.replayWebhook);
  });

  return (
    <FormDialog
      title={t("hooks.replayTitle")}
      size="lg"
      form={{ ...form, isDirty: () => count === null && form.isDirty() }}
      onSubmit={replay}
      action={t("hooks.replaySubmit")}
      disabled={count === null ? !since : t("hooks.wasReplayed")}
      cancel={t(count === null ? "common.cancel" : "common.close")}
      footer={
        <Notice
          message={count === null ? null : t("hooks.replayed", { count, number: format.number(count) })}
        />
      }
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t("hooks.replayText")}
      </Text>
      <Group grow>
        <TextInput
          data-autofocus
          type="datetime-local"
          label={t("hooks.since")}
          withAsterisk
          {...form.getInputProps("since")}
        />
        <TextInput type="datetime-local" label={t("hooks.until")} {...form.getInputProps("until")} />
      </Group>
      <MultiSelect
        label={t("feed.type")}
        placeholder={types.length === 0 ? t("hooks.typesOfHook") : undefined}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("hooks.clearTypes") }}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        data={hook.types?.length ? hook.types : (choices?.eventTypes ?? []).map(({ type }) => type)}
        {...form.getInputProps("types")}
      />
    </FormDialog>
  );
}
