import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "../../frame/i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useSession, useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";

// The tokens of the answer are not selected: the console uses the cookie, and logs in again.
const ChangePassword = graphql(`
  mutation ChangePassword($input: ChangePassword!) {
    changePassword(input: $input) {
      expiresIn
    }
  }
`);

export function PasswordForm() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const client = useClient();
  const session = useSession();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function change(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const input = { currentPassword: current, newPassword: next };
    const { error } = await client.mutation(ChangePassword, { input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else await session.logout("passwordChanged");
  }

  const wrong = problem?.code === "bad_credentials" ? problem.message : problem?.fields.currentPassword;
  const toggle = { "aria-label": t("login.showPassword"), tabIndex: 0 };
  return (
    <Paper p="sm">
      <form onSubmit={change} noValidate>
        <Stack gap="sm">
          <div>
            <Title order={2}>{t("profile.password")}</Title>
            <Text size="xs" c="dimmed">
              {t("profile.passwordText")}
            </Text>
          </div>
          <input type="text" name="username" autoComplete="username" value={viewer.email} readOnly hidden />
          <PasswordInput
            label={t("profile.currentPassword")}
            autoComplete="current-password"
            value={current}
            error={wrong}
            visibilityToggleButtonProps={toggle}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label={t("profile.newPassword")}
            autoComplete="new-password"
            value={next}
            error={problem?.fields.newPassword}
            visibilityToggleButtonProps={toggle}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          {problem && !wrong && !problem.fields.newPassword && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={!current || !next}>
              {t("profile.changePassword")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
