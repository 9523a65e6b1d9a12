import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { useRequestForm } from "../../frame/form/useRequestForm";
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
  const form = useRequestForm({ initialValues: { currentPassword: "", newPassword: "" } });
  const { currentPassword, newPassword } = form.getValues();

  const change = form.sends(async (input) => {
    const { error } = await client.mutation(ChangePassword, { input }).toPromise();
    if (error) return error;
    await session.logout("passwordChanged");
  });

  const wrong = form.refused?.code === "bad_credentials" ? form.refused.message : undefined;
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
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps("currentPassword")}
            error={wrong ?? form.errors.currentPassword}
          />
          <PasswordInput
            label={t("profile.newPassword")}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps("newPassword")}
          />
          {form.problem && !wrong && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={form.busy}
              disabled={!currentPassword || !newPassword}
              title={!currentPassword || !newPassword ? t("common.fillForm") : undefined}
            >
              {t("profile.changePassword")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
