import { Button, Group, Modal, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { localOf } from "../../../../frame/values/localTime";
import { useTranslation } from "../../../../frame/i18n";
import { Notice } from "../../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../../../frame/ui/dialogs/useFocusBack";
import type { HookFragment } from "../../../../gql/graphql";
import { HookChoices, ReplayHook } from "../documents";

const HOUR_MS = 3_600_000;

/** Sends events of the feed again, from a time on. */
export function ReplayDialog({ hook, onClose }: { hook: HookFragment; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  useFocusBack();
  const { data: choices } = useLoaded(HookChoices, {});
  const [since, setSince] = useState(() => localOf(new Date(Date.now() - HOUR_MS).toISOString()));
  const [until, setUntil] = useState("");
  const [types, setTypes] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [count, setCount] = useState<number | null>(null);

  async function replay(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const input = {
      since: new Date(since).toISOString(),
      until: until ? new Date(until).toISOString() : null,
      types: types.length > 0 ? types : null,
    };
    const { data, error } = await client.mutation(ReplayHook, { id: hook.uuid, input }).toPromise();
    setBusy(false);
    if (typeof data?.replayWebhook === "number") setCount(data.replayWebhook);
    else if (error) setProblem(problemOf(error));
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("hooks.replayTitle")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={replay} noValidate>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t("hooks.replayText")}
          </Text>
          <Group grow>
            <TextInput
              data-autofocus
              type="datetime-local"
              label={t("hooks.since")}
              value={since}
              onChange={(event) => {
                setSince(event.currentTarget.value);
                setCount(null);
              }}
            />
            <TextInput
              type="datetime-local"
              label={t("hooks.until")}
              description={undefined}
              value={until}
              onChange={(event) => {
                setUntil(event.currentTarget.value);
                setCount(null);
              }}
            />
          </Group>
          <MultiSelect
            label={t("feed.type")}
            placeholder={types.length === 0 ? t("hooks.typesOfHook") : undefined}
            searchable
            clearable
            clearButtonProps={{ "aria-label": t("hooks.clearTypes") }}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            data={hook.types?.length ? hook.types : (choices?.eventTypes ?? []).map(({ type }) => type)}
            value={types}
            onChange={(next) => {
              setTypes(next);
              setCount(null);
            }}
          />
          {problem && <ProblemNotice problem={problem} />}
          <Notice
            message={count === null ? null : t("hooks.replayed", { count, number: format.number(count) })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t(count === null ? "common.cancel" : "common.close")}
            </Button>
            <Button type="submit" loading={busy} disabled={!since || count !== null}>
              {t("hooks.replaySubmit")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
