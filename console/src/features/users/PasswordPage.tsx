import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { RequestPasswordReset, ResetPassword } from "./documents";
import { NewPasswordField } from "./Fields";

/**
 * A forgotten password: without a token it asks for a mail; the mail's link has the token behind the `#`, which no
 * server is sent, and sets the password here.
 */
export default function PasswordPage() {
  const { t } = useTranslation();
  const [token] = useState(() => {
    const behind = window.location.hash.slice(1);
    // Whoever looks at this browser's history later does not see it.
    if (behind) window.history.replaceState(null, "", window.location.pathname);
    return behind;
  });
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
  const [email, setEmail] = useState("");
  const [state, setState] = useState<"asking" | "busy" | "sent">("asking");
  const [problem, setProblem] = useState<Problem | null>(null);

  async function ask(event: SubmitEvent) {
    event.preventDefault();
    setState("busy");
    setProblem(null);
    const input = { email: email.trim() };
    const { error } = await client.mutation(RequestPasswordReset, { input }).toPromise();
    setState(error ? "asking" : "sent");
    if (error) setProblem(problemOf(error));
  }

  if (state === "sent")
    return (
      <Alert role="status" color="teal" py="xs">
        {t("password.sent", { email: email.trim() })}
      </Alert>
    );
  const other = elsewhere(problem, ["email"]);
  return (
    <form onSubmit={ask} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("password.ask")}</Text>
        {other && <ProblemNotice problem={other} />}
        <TextInput
          type="email"
          label={t("login.email")}
          autoComplete="username"
          autoFocus
          value={email}
          error={problem?.fields.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={state === "busy"} disabled={!email.trim()}>
          {t("password.send")}
        </Button>
      </Stack>
    </form>
  );
}

function SetPassword({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [password, setPassword] = useState("");
  const [state, setState] = useState<"asking" | "busy" | "done">("asking");
  const [problem, setProblem] = useState<Problem | null>(null);

  async function set(event: SubmitEvent) {
    event.preventDefault();
    setState("busy");
    setProblem(null);
    const { error } = await client.mutation(ResetPassword, { input: { token, password } }).toPromise();
    setState(error ? "asking" : "done");
    if (error) setProblem(problemOf(error));
  }

  if (state === "done")
    return (
      <Alert role="status" color="teal" py="xs">
        {t("password.done")}
      </Alert>
    );
  const other = elsewhere(problem, ["password"]);
  return (
    <form onSubmit={set} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("password.set")}</Text>
        {other && <ProblemNotice problem={other} />}
        <NewPasswordField
          label={t("password.new")}
          value={password}
          error={problem?.fields.password}
          onChange={setPassword}
        />
        <Button type="submit" size="sm" loading={state === "busy"} disabled={!password}>
          {t("invitation.accept")}
        </Button>
      </Stack>
    </form>
  );
}
