import { Group, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { instantOf, localOf } from "../../../frame/values/localTime";
import type { Plan } from "./schedule";

interface Props {
  plan: Plan;
  onChange: (part: Partial<Plan>) => void;
}

/** Between which times a schedule runs, how often at most, and what happens after missed runs. */
export function RangeFields({ plan, onChange }: Props) {
  const { t } = useTranslation();
  const time = (name: "startAt" | "endAt") => (
    <TextInput
      type="datetime-local"
      w={220}
      label={t(`repeatable.${name}`)}
      description={Intl.DateTimeFormat().resolvedOptions().timeZone}
      value={plan[name] ? localOf(plan[name]) : ""}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange({ [name]: text ? instantOf(text) : null });
      }}
    />
  );
  return (
    <Group align="flex-end" gap="sm">
      {time("startAt")}
      {time("endAt")}
      <NumberInput
        w={160}
        label={t("repeatable.maxRuns")}
        placeholder={t("making.noLimit")}
        min={1}
        allowDecimal={false}
        value={plan.maxRuns ?? ""}
        onChange={(value) => onChange({ maxRuns: typeof value === "number" && value > 0 ? value : null })}
      />
      <Select
        w={260}
        label={t("repeatable.misfire")}
        allowDeselect={false}
        value={plan.misfire}
        data={(["skip", "one"] as const).map((value) => ({
          value,
          label: t(`repeatable.misfires.${value}`),
        }))}
        onChange={(misfire) => onChange({ misfire: misfire ?? plan.misfire })}
      />
    </Group>
  );
}
