import { MultiSelect, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import type { Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import type { HookChoicesQuery } from "../../../gql/graphql";
import type { Draft } from "./draft";

interface Props {
  draft: Draft;
  choices: HookChoicesQuery | undefined;
  problem: Problem | null;
  onChange: (part: Partial<Draft>) => void;
}

/** the fields of the API whose sentences these fields show */
export const SHOWN_AT_FIELDS = ["url", "types", "batch"] as const;

const MOST_BATCH = 100;

/** The fields of a webhook of the event feed, but for its document. */
export function Fields({ draft, choices, problem, onChange }: Props) {
  const { t } = useTranslation();
  const { uses } = useViewer();
  return (
    <Stack gap="sm">
      <TextInput
        label={t("hooks.url")}
        description={t("hooks.urlHint")}
        placeholder="https://example.com/events"
        value={draft.url}
        error={problem?.fields.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      {uses("events") && (
        <MultiSelect
          label={t("feed.type")}
          description={t("hooks.typesHint")}
          placeholder={draft.types.length === 0 ? t("hooks.everyType") : undefined}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t("hooks.clearTypes") }}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          nothingFoundMessage={t("feed.noType")}
          data={(choices?.eventTypes ?? []).map(({ type }) => type)}
          value={draft.types}
          error={problem?.fields.types}
          onChange={(types) => onChange({ types })}
        />
      )}
      <NumberInput
        label={t("hooks.batch")}
        description={t("hooks.batchHint")}
        min={1}
        max={MOST_BATCH}
        allowDecimal={false}
        hideControls
        value={draft.batch}
        error={problem?.fields.batch}
        onChange={(value) => onChange({ batch: typeof value === "number" ? value : 1 })}
      />
      <Select
        label={t("hooks.project")}
        placeholder={t("hooks.allOfThem")}
        clearable
        searchable
        value={draft.project}
        onChange={(project) => onChange({ project })}
        data={optionsWith(
          draft.project,
          (choices?.sendingProjects?.nodes ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
        )}
      />
      <Select
        label={t("hooks.payer")}
        placeholder={t("hooks.allOfThem")}
        clearable
        value={draft.payer}
        onChange={(payer) => onChange({ payer })}
        data={optionsWith(
          draft.payer,
          (choices?.accounts?.nodes ?? []).map(({ uuid, name, currency }) => ({
            value: uuid,
            label: `${name} (${currency})`,
          })),
        )}
      />
      <Select
        label={t("hooks.messenger")}
        placeholder={t("hooks.allOfThem")}
        clearable
        value={draft.messenger}
        onChange={(messenger) => onChange({ messenger })}
        data={optionsWith(
          draft.messenger,
          (choices?.messengerAccounts?.nodes ?? []).map(({ uuid, source, login, name }) => ({
            value: uuid,
            label: t("hooks.ofAccount", { source: t(`channels.${source}`), name: name || login }),
          })),
        )}
      />
    </Stack>
  );
}

/** Adds what is chosen to the options, if it is not among them: an older project, for instance. */
function optionsWith(chosen: string | null, options: { value: string; label: string }[]) {
  if (chosen === null || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: chosen }];
}
