import { Alert, Button, Code, Group, SegmentedControl, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CombinedError } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { draftOf, KINDS, kindOf, parse, previewOf, same, type Entry, type Kind } from "./values";

/** What is stored under a key now; undefined if nothing is. */
export type Read = { ok: true; now: Entry | undefined } | { ok: false; error: CombinedError };

interface Props {
  /** the entry that is changed; null for a new one */
  entry: Entry | null;
  title: string;
  /** the most bytes of a value, as JSON */
  maxBytes: number;
  keyProblem: (key: string) => string | null;
  read: (key: string) => Promise<Read>;
  /** `before` is what the new value replaces */
  write: (key: string, value: unknown, before: Entry | undefined) => Promise<CombinedError | null>;
  onClose: () => void;
  onSaved: (key: string) => void;
}

type Values = { key: string; kind: Kind; value: string };

/** Changes one value. If somebody has changed it since the dialog was opened, it asks before it replaces that. */
export function EntryDialog({ entry, title, maxBytes, keyProblem, read, write, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const [expected, setExpected] = useState<Entry | undefined>(entry ?? undefined);
  const [changed, setChanged] = useState<Entry | null | undefined>(undefined);
  const wrongValue = ({ kind, value }: Values) => {
    const parsed = parse(kind, value, maxBytes);
    return parsed.ok ? null : t(`settings.wrong.${parsed.problem}`);
  };
  const form = useRequestForm<Values>({
    initialValues: entry
      ? { key: entry.key, kind: kindOf(entry.value), value: draftOf(entry.value) }
      : { key: "", kind: "text", value: "" },
    shown: () => (entry ? ["value"] : ["key", "value"]),
    validate: {
      key: (key) => (entry ? null : keyProblem(key.trim())),
      value: (_, values) => wrongValue(values),
    },
    onValuesChange: ({ key }, before) => {
      if (key === before.key) return;
      setExpected(undefined);
      setChanged(undefined);
    },
  });
  const { kind, value } = form.getValues();

  const save = form.sends(({ key, kind, value }) => {
    const parsed = parse(kind, value, maxBytes);
    return parsed.ok ? replace(key.trim(), parsed.value) : Promise.resolve(null);
  });

  async function replace(name: string, value: unknown): Promise<CombinedError | null> {
    const stored = await read(name);
    if (!stored.ok) return stored.error;
    const unchanged =
      stored.now && expected ? same(stored.now.value, expected.value) : !stored.now && !expected;
    if (!unchanged) {
      setExpected(stored.now);
      setChanged(stored.now ?? null);
      return null;
    }
    const error = await write(name, value, stored.now);
    if (!error) onSaved(name);
    return error;
  }

  function choose(next: Kind) {
    form.setValues(next === "boolean" ? { kind: next, value: String(value === "true") } : { kind: next });
  }

  return (
    <FormDialog
      title={title}
      size="lg"
      form={form}
      onSubmit={save}
      action={changed === undefined ? t("common.save") : t("settings.replace")}
      onClose={onClose}
    >
      {entry ? (
        <Text size="sm">
          <Code>{entry.key}</Code>
        </Text>
      ) : (
        <TextInput data-autofocus label={t("settings.key")} {...form.getInputProps("key")} />
      )}
      <SegmentedControl
        size="xs"
        aria-label={t("settings.type")}
        value={kind}
        onChange={(value) => choose(KINDS.find((name) => name === value) ?? "json")}
        data={KINDS.map((value) => ({ value, label: t(`settings.kinds.${value}`) }))}
      />
      {kind === "boolean" ? (
        <SegmentedControl
          aria-label={t("settings.value")}
          {...form.getInputProps("value")}
          data={[
            { value: "true", label: t("settings.yes") },
            { value: "false", label: t("settings.no") },
          ]}
        />
      ) : (
        <Textarea
          data-autofocus={entry ? true : undefined}
          label={t("settings.value")}
          rows={kind === "number" ? 1 : 6}
          {...form.getInputProps("value")}
          error={form.errors.value ?? (kind === "json" && value && wrongValue(form.getValues()))}
        />
      )}
      {changed !== undefined && (
        <Alert color="yellow" role="alert">
          <Text size="sm" fw={600}>
            {t("settings.changed")}
          </Text>
          <Text size="sm">{changed ? t("settings.changedTo") : t("settings.changedGone")}</Text>
          {changed && (
            <Code block mt={4}>
              {previewOf(changed.value)}
            </Code>
          )}
          <Group mt="xs">
            {changed && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => {
                  form.setValues({ kind: kindOf(changed.value), value: draftOf(changed.value) });
                  setChanged(undefined);
                }}
              >
                {t("settings.takeNew")}
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </FormDialog>
  );
}
