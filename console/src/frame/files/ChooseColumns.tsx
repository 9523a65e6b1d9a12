import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Group, Loader, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import type { Problem } from "../api/errors";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { FormDialog } from "../ui/dialogs/FormDialog";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import type { ExportFormat } from "../../gql/graphql";
import classes from "./columns.module.css";
import { isExample, valueColumns } from "./columns";
import { ExportColumns } from "./documents";
import { FORMATS, type ExportSource } from "./formats";

interface Props {
  source: ExportSource;
  /** returns the problem, if the export did not start */
  onStart: (format: ExportFormat, columns: string[]) => Promise<Problem | null>;
  onClose: () => void;
}

/** Starts an export with the columns that somebody needs; without a choice all of them. */
export function ChooseColumns({ source, onStart, onClose }: Props) {
  const { t } = useTranslation();
  const { data, problem: unread, reload } = useLoaded(ExportColumns, { source: source.source });
  const all = data?.exportVariables;
  const fixed = all?.filter((column) => !isExample(column)) ?? [];
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set());
  const [values, setValues] = useState("");
  const [format, setFormat] = useState<ExportFormat>("csv");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const columns = [
    ...fixed.filter(({ name }) => !left.has(name)).map(({ name }) => name),
    ...valueColumns(values),
  ];

  async function start(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const refused = await onStart(format, columns);
    setBusy(false);
    setProblem(refused);
  }

  function toggle(name: string, on: boolean) {
    setLeft((before) => {
      const next = new Set(before);
      if (on) next.delete(name);
      else next.add(name);
      return next;
    });
  }

  return (
    <FormDialog
      title={t("exports.columnsTitle", { source: source.label })}
      size="lg"
      form={{ problem, busy }}
      onSubmit={start}
      action={t("exports.start")}
      disabled={columns.length === 0}
      onClose={onClose}
    >
      {unread && <ProblemNotice problem={unread} onRetry={reload} />}
      {!all && !unread && <Loader size="sm" aria-label={t("common.loading")} />}
      {all && (
        <>
          <Group gap="xs">
            <Button variant="subtle" size="compact-xs" onClick={() => setLeft(new Set())}>
              {t("exports.allColumns")}
            </Button>
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => setLeft(new Set(fixed.map(({ name }) => name)))}
            >
              {t("exports.noColumns")}
            </Button>
          </Group>
          <fieldset className={classes.columns}>
            <legend>{t("exports.columns")}</legend>
            {fixed.map(({ name, label, example }) => (
              <Checkbox
                key={name}
                size="xs"
                label={label}
                description={example}
                checked={!left.has(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
            ))}
          </fieldset>
          {all.length > fixed.length && (
            <TextInput
              label={t("exports.values")}
              description={t("exports.valuesHint")}
              value={values}
              onChange={(event) => setValues(event.currentTarget.value)}
            />
          )}
        </>
      )}
      <Group gap="xs">
        <Text size="sm">{t("exports.format")}</Text>
        <SegmentedControl
          size="xs"
          aria-label={t("exports.format")}
          value={format}
          onChange={(value) => setFormat(FORMATS.find((item) => item === value) ?? "csv")}
          data={FORMATS.map((value) => ({ value, label: t(`exports.formats.${value}`) }))}
        />
      </Group>
    </FormDialog>
  );
}
