import { NumberInput, Select, Text, TextInput } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { boundsOf, changedField, isOfDays, isSpan, OPERATORS, type Draft, type Operator } from "./model";
import type { Names } from "./useNames";

const AT_ONCE = { transitionProps: { duration: 0 } };

interface Props {
  draft: Draft;
  names: Names;
  set: (part: Partial<Draft>) => void;
}

/** A field of contacts, how it is compared, and with what: as its type has it. */
export function FieldParts({ draft, names, set }: Props) {
  const { t } = useTranslation();
  const { field, operator } = draft;
  const type = names.types.get(field);
  if (names.fields.length === 0) return <Text size="sm">{t("segments.noField")}</Text>;
  const nameOf = (one: Operator) =>
    type === "date" && isSpan(one) ? t(`segments.dayOperators.${one}`) : t(`segments.operators.${one}`);
  return (
    <>
      <Select
        label={t("contacts.field")}
        searchable
        allowDeselect={false}
        comboboxProps={AT_ONCE}
        data={names.fields}
        value={field || null}
        onChange={(key) => key && set(changedField(draft, key, names.types))}
      />
      {type && (
        <Select
          label={t("segments.operator")}
          allowDeselect={false}
          comboboxProps={AT_ONCE}
          data={OPERATORS[type].map((value) => ({ value, label: nameOf(value) }))}
          value={operator}
          onChange={(one) => one && set({ operator: one, value: "", days: 0 })}
        />
      )}
      {type && operator !== "set" && operator !== "unset" && <Compared draft={draft} type={type} set={set} />}
    </>
  );
}

function Compared({ draft, type, set }: Pick<Props, "draft" | "set"> & { type: string }) {
  const { t } = useTranslation();
  const { operator, value, days } = draft;
  if (isOfDays(operator)) {
    const [least, most] = boundsOf(operator);
    return (
      <NumberInput
        label={t(operator === "daysAgo" ? "segments.daysAgo" : "segments.inDays")}
        description={t(operator === "daysAgo" ? "segments.daysAgoHint" : "segments.inDaysHint")}
        min={least}
        max={most}
        allowDecimal={false}
        allowNegative={least < 0}
        value={days}
        onChange={(next) => set({ days: next })}
      />
    );
  }
  if (type === "bool") {
    return (
      <Select
        label={t("contacts.value")}
        allowDeselect={false}
        comboboxProps={AT_ONCE}
        data={(["true", "false"] as const).map((one) => ({ value: one, label: t(`segments.values.${one}`) }))}
        value={value || null}
        onChange={(next) => set({ value: next ?? "" })}
      />
    );
  }
  const several = operator === "in" || operator === "notIn";
  return (
    <TextInput
      label={t(several ? "segments.several" : "contacts.value")}
      {...((type === "text" || type === "list") && { description: t("segments.lettersCount") })}
      type={type === "date" && !several ? "date" : "text"}
      inputMode={type === "number" && !several ? "decimal" : undefined}
      maxLength={1000}
      value={value}
      onChange={(event) => set({ value: event.currentTarget.value })}
    />
  );
}
