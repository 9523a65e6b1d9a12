import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { localOf } from "../../../frame/values/localTime";
import { MOST_DAYS } from "./draft";

interface Props {
  /** as a `datetime-local` field has it, "" while it is not complete; null: at once */
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Lets a message wait for a time, which is in the zone of the browser. */
export function LaterField({ value = null, onChange, error }: Props) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const local = (at: number) => localOf(new Date(at).toISOString());
  const next = local(now + 2 * HOUR - (now % HOUR));
  return (
    <Stack gap={8}>
      <Checkbox
        label={t("send.later")}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? next : null)}
      />
      {value !== null && (
        <TextInput
          ms={28}
          maw={300}
          type="datetime-local"
          label={t("send.laterAt")}
          withAsterisk
          description={t("send.laterZone", {
            zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            days: MOST_DAYS,
          })}
          min={local(now)}
          max={local(now + MOST_DAYS * DAY)}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}
