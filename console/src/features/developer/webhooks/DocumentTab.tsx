import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { HookFragment } from "../../../gql/graphql";
import { ChangeHook } from "./documents";
import { DocumentTrial } from "./DocumentTrial";

/** The document that makes the bodies: try it, then save it. */
export function DocumentTab({ hook, onChanged }: { hook: HookFragment; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const writes = useViewer().may("messengers:write");
  const [query, setQuery] = useState(hook.query ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saved, setSaved] = useState(false);
  const changed = query.trim() !== (hook.query ?? "").trim();

  async function save() {
    setBusy(true);
    setProblem(null);
    const input = { query: query.trim() || null };
    const { error } = await client.mutation(ChangeHook, { id: hook.uuid, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else setSaved(true);
    onChanged();
  }

  return (
    <Paper p="sm">
      <Stack gap="sm">
        <DocumentTrial
          query={query}
          types={hook.types ?? []}
          onChange={(text) => {
            setQuery(text);
            setSaved(false);
          }}
        />
        {problem && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          {saved && (
            <Text size="sm" role="status">
              {t("hooks.saved")}
            </Text>
          )}
          {writes && (
            <Button
              loading={busy}
              disabled={!changed}
              title={!changed ? t("common.unchanged") : undefined}
              onClick={save}
            >
              {t("hooks.saveDocument")}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
