import { Checkbox, Group, Paper, Radio, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import type { SendingWindowInput } from "../../../../gql/graphql";
import { Timezones } from "../documents";
import { WeekGrid } from "./WeekGrid";
import { clockOf, DAYS, minutesOf, weekOf, windowOf, WORKDAYS, type Week } from "./window";

interface Props {
  window: SendingWindowInput | null;
  onChange: (window: SendingWindowInput | null) => void;
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The hours at which messages may be sent: drawn on a week, or typed. */
export function WindowEditor({ window, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Radio.Group
        label={<Title order={2}>{t("making.hours")}</Title>}
        value={window ? "some" : "any"}
        onChange={(value) => onChange(value === "some" ? windowOf(WORKDAYS, OWN_ZONE, false) : null)}
      >
        <Stack gap={8} mt={8}>
          <Radio value="any" label={t("making.anyHour")} />
          <Radio value="some" label={t("making.someHours")} />
        </Stack>
      </Radio.Group>
      {window && <Hours window={window} onChange={onChange} />}
    </Paper>
  );
}

function Hours({ window, onChange }: { window: SendingWindowInput; onChange: Props["onChange"] }) {
  const { t } = useTranslation();
  const zones = useLoaded(Timezones, {});
  const week = weekOf({ days: window.days ?? [...DAYS], from: window.from, to: window.to });
  const { timezone, recipientTimezone = false } = window;
  const change = (next: Week) => {
    // A window has at least one day.
    if (next.days.length > 0) onChange(windowOf(next, timezone, recipientTimezone));
  };
  return (
    <Stack gap="sm" mt="sm">
      <Text size="xs" c="dimmed">
        {t("making.drawHint")}
      </Text>
      <WeekGrid week={week} onChange={change} />
      <Group align="flex-end" gap="sm">
        <TextInput
          type="time"
          w={120}
          label={t("making.from")}
          value={clockOf(week.from)}
          onChange={(event) => {
            if (event.currentTarget.value) change({ ...week, from: minutesOf(event.currentTarget.value) });
          }}
        />
        <TextInput
          type="time"
          w={120}
          label={t("making.until")}
          value={week.to === 1440 ? "00:00" : clockOf(week.to)}
          onChange={(event) => {
            if (event.currentTarget.value)
              change({ ...week, to: minutesOf(event.currentTarget.value) || 1440 });
          }}
        />
        <Select
          w={240}
          label={t("making.zone")}
          searchable
          allowDeselect={false}
          value={timezone}
          data={zones.data?.timezones ?? [timezone]}
          onChange={(zone) => {
            if (zone) onChange(windowOf(week, zone, recipientTimezone));
          }}
        />
      </Group>
      <Checkbox
        label={t("making.recipientZone")}
        description={t("making.recipientZoneHint")}
        checked={recipientTimezone}
        onChange={(event) => onChange(windowOf(week, timezone, event.currentTarget.checked))}
      />
    </Stack>
  );
}
