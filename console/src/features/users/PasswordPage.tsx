import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { RequestPasswordReset, ResetPassword } from "./documents";
import { NewPasswordField } from "./Fields";
import { useLinkToken } from "./useLinkToken";

/**
 * A forgotten password: without a token it asks for a mail; the mail's link has the token behind the `#`, which no
 * server is sent, and sets the password here.
 */
export default function PasswordPage() {
  const { t } = useTranslation();
  const token = useLinkToken();
  usePageTitle(t("password.title"));
  return (
    <CenteredPage>
      <Stack gap="sm">
        <Title order={2}>{t("password.title")}</Title>
        {token ? <SetPassword token={token} /> : <AskForMail />}
        {/* A whole load: the page that is left may still have a login that has ended. */}
        <Anchor href="/console/login" size="sm">
          {t("password.login")}
        </Anchor>
      </Stack>
    </CenteredPage>
  );
}

function AskForMail() {
  const { t } = useTranslation();
  const client = useClient();
  const [sent, setSent] = useState(false);
  const form = useRequestForm({ initialValues: { email: "" } });
  const email = form.getValues().email.trim();

  const ask = form.sends(async () => {
    const { error } = await client.mutation(RequestPasswordReset, { input: { email } }).toPromise();
    if (error) return error;
    setSent(true);
  });

  if (sent)
    return (
      <Alert role="status" color="teal" py="xs">
        {t("password.sent", { email })}
      </Alert>
    );
  return (
    <form onSubmit={ask} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("password.ask")}</Text>
        {form.problem && <ProblemNotice problem={form.problem} />}
        <TextInput
          type="email"
          label={t("login.email")}
          autoComplete="username"
          autoFocus
          {...form.getInputProps("email")}
        />
        <Button
          type="submit"
          size="sm"
          loading={form.busy}
          disabled={!email}
          title={!email ? t("common.fillForm") : undefined}
        >
          {t("password.send")}
        </Button>
      </Stack>
    </form>
  );
}

function SetPassword({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [done, setDone] = useState(false);
  const form = useRequestForm({ initialValues: { password: "" } });
  const { password } = form.getValues();

  const set = form.sends(async () => {
    const { error } = await client.mutation(ResetPassword, { input: { token, password } }).toPromise();
    if (error) return error;
    setDone(true);
  });

  if (done)
    return (
      <Alert role="status" color="teal" py="xs">
        {t("password.done")}
      </Alert>
    );
  return (
    <form onSubmit={set} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("password.set")}</Text>
        {form.problem && <ProblemNotice problem={form.problem} />}
        <NewPasswordField label={t("password.new")} {...form.getInputProps("password")} />
        <Button
          type="submit"
          size="sm"
          loading={form.busy}
          disabled={!password}
          title={!password ? t("common.fillForm") : undefined}
        >
          {t("invitation.accept")}
        </Button>
      </Stack>
    </form>
  );
}
