import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Code, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { ChangeUser } from "./documents";
import { draftOf, patchOf, type Draft } from "./draft";
import { NameField } from "./Fields";
import type { OneUserData } from "./model";
import classes from "./users.module.css";

interface Props {
  user: OneUserData;
  /** whether the administrator looks at the own user */
  self: boolean;
  onDone: (notice: string) => void;
}

/** Who the user is, and what an administrator may change of it. */
export function PersonCard({ user, self, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  // What the draft began with: only differences from it are sent, so later changes of others are not undone.
  const [before, setBefore] = useState(() => draftOf(user));
  const [draft, setDraft] = useState(before);
  const [shownUser, setShownUser] = useState(user);
  const { name, email, admin } = draft;
  const input = patchOf(before, draft);
  const changed = Object.keys(input).length > 0;
  const begin = (now: Draft) => {
    setBefore(now);
    setDraft(now);
  };
  if (user !== shownUser) {
    setShownUser(user);
    if (!changed) begin(draftOf(user));
  }
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const gone = user.status === "deleted";

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { data, error } = await client.mutation(ChangeUser, { id: user.uuid, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else {
      begin(data?.updateUser ? draftOf(data.updateUser) : draft);
      onDone(t("users.saved"));
    }
  }

  const fields = problem?.fields ?? {};
  const other = elsewhere(problem, ["email", "displayName"]);
  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <Title order={2}>{t("users.person")}</Title>
          <TextInput
            type="email"
            label={t("login.email")}
            autoComplete="off"
            disabled={gone}
            value={email}
            error={fields.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <NameField
            label={t("users.name")}
            disabled={gone}
            value={name}
            error={fields.displayName}
            onChange={(value) => set({ name: value })}
          />
          <Checkbox
            label={t("users.isAdmin")}
            description={t(self ? "users.isAdminSelf" : "users.isAdminHint")}
            disabled={gone || self}
            checked={admin}
            onChange={(event) => set({ admin: event.currentTarget.checked })}
          />
          <dl className={classes.facts}>
            <dt>{t("users.columns.created")}</dt>
            <dd>
              <Time value={user.createdAt} full />
            </dd>
            <dt>{t("users.id")}</dt>
            <dd>
              <Code>{user.uuid}</Code>
            </dd>
          </dl>
          {other && <ProblemNotice problem={other} />}
          {!gone && (
            <Group justify="flex-end">
              <Text size="xs" c="dimmed">
                {input.roles && t(admin ? "users.becomesAdmin" : "users.becomesUser")}
              </Text>
              <Button
                type="submit"
                loading={busy}
                disabled={!changed || !email.trim()}
                title={!changed || !email.trim() ? t("common.unchanged") : undefined}
              >
                {t("common.save")}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
