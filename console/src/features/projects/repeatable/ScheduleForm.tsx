import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";
import type { Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Timezones } from "../new/documents";
import { DAYS } from "../new/schedule/window";
import { RangeFields } from "./RangeFields";
import { FREQUENCIES, type Plan } from "./schedule";

interface Props {
  name: string;
  plan: Plan;
  busy: boolean;
  problem: Problem | null;
  action: string;
  /** what happens with the button */
  hint: string;
  /** what stands above the name */
  children?: ReactNode;
  onName: (name: string) => void;
  onPlan: (plan: Plan) => void;
  onSubmit: () => Promise<void>;
}

/** The name of a repeatable project, and when it runs. */
export function ScheduleForm({
  name,
  plan,
  busy,
  problem,
  action,
  hint,
  children,
  onName,
  onPlan,
  onSubmit,
}: Props) {
  const { t, language } = useTranslation();
  const zones = useLoaded(Timezones, {});
  const set = (part: Partial<Plan>) => onPlan({ ...plan, ...part });
  const names = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  function submit(event: SubmitEvent) {
    event.preventDefault();
    void onSubmit();
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {children}
        <TextInput
          label={t("repeatable.name")}
          value={name}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <Group align="flex-end" gap="sm">
          <Select
            label={t("repeatable.how")}
            allowDeselect={false}
            value={plan.frequency}
            data={[...FREQUENCIES, ...(plan.rrule ? (["rrule"] as const) : [])].map((value) => ({
              value,
              label: t(`repeatable.every.${value}`),
            }))}
            onChange={(frequency) => set({ frequency: frequency ?? plan.frequency })}
          />
          {plan.frequency === "week" && (
            <Select
              label={t("repeatable.weekday")}
              allowDeselect={false}
              value={String(plan.weekday)}
              // 1 January 2024 was a Monday.
              data={DAYS.map((day) => ({
                value: String(day),
                label: names.format(Date.UTC(2024, 0, day)),
              }))}
              onChange={(day) => set({ weekday: Number(day) })}
            />
          )}
          {plan.frequency === "month" && (
            <NumberInput
              label={t("repeatable.monthday")}
              min={1}
              max={31}
              value={plan.monthday}
              onChange={(day) => {
                if (typeof day === "number" && day >= 1 && day <= 31) set({ monthday: day });
              }}
            />
          )}
          {plan.frequency === "rrule" ? (
            <TextInput label="RRULE" value={plan.rrule ?? ""} readOnly />
          ) : plan.frequency === "cron" ? (
            <TextInput
              label={t("repeatable.cron")}
              description={t("repeatable.cronHint")}
              value={plan.cron}
              onChange={(event) => set({ cron: event.currentTarget.value })}
            />
          ) : (
            <TextInput
              type="time"
              label={t("repeatable.at")}
              value={plan.at}
              onChange={(event) => {
                if (event.currentTarget.value) set({ at: event.currentTarget.value });
              }}
            />
          )}
          <Select
            label={t("repeatable.zone")}
            searchable
            allowDeselect={false}
            value={plan.timezone}
            data={zones.data?.timezones ?? [plan.timezone]}
            onChange={(timezone) => set({ timezone: timezone ?? plan.timezone })}
          />
        </Group>
        <RangeFields plan={plan} onChange={set} />
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
        {problem && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={busy}
            disabled={!name.trim()}
            title={!name.trim() ? t("common.fillForm") : undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
