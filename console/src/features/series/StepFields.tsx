import { ActionIcon, Checkbox, NumberInput, Select, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import type { ProjectChannel } from "../../gql/graphql";
import { UNITS, type StepDraft, type Unit } from "./draft";
import classes from "./series.module.css";

const CHANNELS = [
  "email",
  "sms",
  "push",
  "telegram",
  "whatsapp",
] as const satisfies readonly ProjectChannel[];

interface Props {
  number: number;
  step: StepDraft;
  templates: readonly { key: string; name: string; version?: number | null }[];
  /** of a series that was started: its channels stay */
  started: boolean;
  onChange: (step: StepDraft) => void;
  onRemove?: (() => void) | undefined;
}

/** A step of a series: the template, the channel, and the delay. */
export function StepFields({ number, step, templates, started, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const { stored, newest = false } = step;
  const version = templates.find(({ key }) => key === step.templateKey)?.version;
  return (
    <fieldset className={classes.step}>
      <div className={classes.head}>
        <Text component="legend" size="sm" fw={500} m={0}>
          {t("series.stepNumber", { number })}
        </Text>
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("series.removeStep", { number })}
            onClick={onRemove}
          >
            <IconTrash size={14} />
          </ActionIcon>
        )}
      </div>
      <div className={classes.fields}>
        <Select
          label={t("series.channel")}
          allowDeselect={false}
          disabled={started}
          data={CHANNELS.map((value) => ({ value, label: t(`series.channels.${value}`) }))}
          value={step.channel}
          onChange={(value) => value && onChange({ ...step, channel: value })}
        />
        <Select
          label={t("series.template")}
          withAsterisk
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("series.noTemplates")}
          data={templates.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
          value={step.templateKey || null}
          onChange={(value) => onChange({ ...step, templateKey: value ?? "" })}
        />
      </div>
      <Checkbox
        label={t("series.ownLanguage")}
        description={t("series.ownLanguageHint")}
        checked={step.ownLanguage}
        onChange={(event) => onChange({ ...step, ownLanguage: event.currentTarget.checked })}
      />
      {stored?.templateKey === step.templateKey && version != null && version > stored.templateVersion && (
        <Checkbox
          label={t("series.newestVersion", { stored: stored.templateVersion, newest: version })}
          checked={newest}
          onChange={(event) => onChange({ ...step, newest: event.currentTarget.checked })}
        />
      )}
      <div className={classes.delay}>
        <NumberInput
          label={t("series.delay")}
          min={0}
          max={527_040}
          allowDecimal={false}
          value={step.amount}
          onChange={(value) => onChange({ ...step, amount: Number(value) || 0 })}
        />
        <Select
          label={t("series.unit")}
          allowDeselect={false}
          data={(Object.keys(UNITS) as Unit[]).map((value) => ({ value, label: t(`series.units.${value}`) }))}
          value={step.unit}
          onChange={(value) => value && onChange({ ...step, unit: value })}
        />
        {number > 1 && (
          <Select
            label={t("series.after")}
            allowDeselect={false}
            data={(["previous", "entry"] as const).map((value) => ({
              value,
              label: t(`series.afters.${value}`),
            }))}
            value={step.after}
            onChange={(value) => value && onChange({ ...step, after: value })}
          />
        )}
      </div>
    </fieldset>
  );
}
