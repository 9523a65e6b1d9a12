import { NumberInput, Paper, Radio, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { instantOf, localOf } from "../../../../frame/values/localTime";
import { rateFor } from "../plan/planOf";
import type { DraftState } from "../useDraft";
import { RetryFields } from "./RetryFields";
import { SpeedFields } from "./SpeedFields";
import { WindowEditor } from "./WindowEditor";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
}

const HOUR = 3_600_000;

/** The third step: when it begins, at which hours it may send, and how fast. */
export function ScheduleStep({ state, choices }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, project, set } = state;
  const [now] = useState(() => Date.now());
  const count = project?.recipients?.totalCount ?? 0;
  const rate = rateFor(draft, choices);
  return (
    <Stack gap="sm">
      <Paper p="sm">
        <Radio.Group
          label={<Title order={2}>{t("making.begin")}</Title>}
          value={draft.startAt ? "later" : "now"}
          onChange={(value) =>
            set({
              startAt: value === "later" ? new Date(now + HOUR - (now % HOUR) + HOUR).toISOString() : null,
            })
          }
        >
          <Stack gap={8} mt={8}>
            <Radio value="now" label={t("making.beginNow")} />
            <Radio value="later" label={t("making.beginLater")} />
          </Stack>
        </Radio.Group>
        {draft.startAt && (
          <TextInput
            mt="xs"
            ms={28}
            maw={260}
            type="datetime-local"
            aria-label={t("making.beginAt")}
            description={Intl.DateTimeFormat().resolvedOptions().timeZone}
            value={localOf(draft.startAt)}
            error={Date.parse(draft.startAt) < now ? t("making.past") : undefined}
            onChange={(event) => {
              const instant = instantOf(event.currentTarget.value);
              if (instant) set({ startAt: instant });
            }}
          />
        )}
        {draft.startAt && (
          <NumberInput
            mt="xs"
            ms={28}
            maw={260}
            label={t("making.startWithin")}
            description={t("making.startWithinHint")}
            min={1}
            max={720}
            allowDecimal={false}
            clampBehavior="strict"
            value={Math.max(1, Math.round(draft.startWithinSeconds / 3600))}
            onChange={(hours) => {
              if (typeof hours === "number" && hours >= 1) set({ startWithinSeconds: hours * 3600 });
            }}
          />
        )}
      </Paper>
      <WindowEditor window={draft.window} onChange={(window) => set({ window })} />
      <Paper p="sm">
        <Title order={2} mb="xs">
          {t("making.speed")}
        </Title>
        <SpeedFields speed={draft.speed} channel={draft.channel} onChange={(speed) => set({ speed })} />
        <Text size="xs" c="dimmed" mt="xs" role="status">
          {rate && count > 0
            ? t("making.speedTakes", {
                number: format.number(count),
                duration: format.duration((count / rate) * 60),
              })
            : t("making.speedFast")}
        </Text>
      </Paper>
      <RetryFields retry={draft.retry} onChange={(retry) => set({ retry })} />
    </Stack>
  );
}
