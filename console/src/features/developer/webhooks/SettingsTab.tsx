import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { HookFragment, WebhookPatch } from "../../../gql/graphql";
import { CHECK_SIGNATURE } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { AccountEvents } from "./AccountEvents";
import { ChangeHook } from "./documents";
import { useChoices } from "./useChoices";
import { draftOf, patchOf } from "./draft";
import { Fields, SHOWN_AT_FIELDS } from "./Fields";

/** The settings of a webhook, and how its receiver checks what comes. */
export function SettingsTab({ hook, onChanged }: { hook: HookFragment; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const choices = useChoices();
  // What was loaded when the form was opened: later changes of others are not undone.
  const [before, setBefore] = useState(() => draftOf(hook));
  const [draft, setDraft] = useState(before);
  const [events, setEvents] = useState(hook.events);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saved, setSaved] = useState(false);
  const patch: WebhookPatch = hook.account
    ? JSON.stringify(events) === JSON.stringify(hook.events)
      ? {}
      : { events }
    : patchOf(before, draft);
  const changed = Object.keys(patch).length > 0;

  const noticed = elsewhere(problem, hook.account ? [] : SHOWN_AT_FIELDS);

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { data, error } = await client.mutation(ChangeHook, { id: hook.uuid, input: patch }).toPromise();
    setBusy(false);
    if (data?.updateWebhook) {
      setBefore(draftOf(data.updateWebhook));
      setDraft(draftOf(data.updateWebhook));
      setSaved(true);
      onChanged();
    } else if (error) setProblem(problemOf(error));
  }

  return (
    <Stack gap="sm">
      <Paper p="sm" maw={700}>
        <form onSubmit={save} noValidate>
          <Stack gap="sm">
            {hook.account ? (
              <AccountEvents
                value={events}
                onChange={(next) => {
                  setEvents(next);
                  setSaved(false);
                }}
              />
            ) : (
              <Fields
                draft={draft}
                choices={choices}
                problem={problem}
                onChange={(part) => {
                  setDraft((now) => ({ ...now, ...part }));
                  setSaved(false);
                  setProblem(null);
                }}
              />
            )}
            {noticed && <ProblemNotice problem={noticed} />}
            <Group justify="flex-end">
              {saved && (
                <Text size="sm" role="status">
                  {t("hooks.saved")}
                </Text>
              )}
              <Button
                type="submit"
                loading={busy}
                disabled={!changed}
                title={!changed ? t("common.unchanged") : undefined}
              >
                {t("common.save")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      <CodeBlock title={t("hooks.checkSignature")} code={CHECK_SIGNATURE} />
    </Stack>
  );
}
