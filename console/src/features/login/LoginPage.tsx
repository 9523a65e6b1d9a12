import { Alert, Anchor, Button, Group, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useRef, useState, type SubmitEvent } from "react";
import { Link, useLocation } from "react-router";
import { useTranslation } from "../../frame/i18n";
import type { Problem } from "../../frame/api/errors";
import { useSession } from "../../frame/session";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { DemoLogin } from "./DemoLogin";

export default function LoginPage() {
  const { t } = useTranslation();
  const { state, login } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [empty, setEmpty] = useState({ email: false, password: false });
  const [withCode, setWithCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  usePageTitle(t("login.title"));
  const reason = state.phase === "out" ? state.reason : "none";
  const accepted = (useLocation().state as { accepted?: boolean } | null)?.accepted === true;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = textOf(data, "email").trim();
    const password = textOf(data, "password");
    setEmpty({ email: !email, password: !password });
    if (!email || !password) {
      form.current?.querySelector<HTMLInputElement>(email ? "[name=password]" : "[name=email]")?.focus();
      return;
    }
    await enter(email, password, textOf(data, "otp").trim() || undefined);
  }

  async function enter(email: string, password: string, otp?: string) {
    setBusy(true);
    const failed = await login(email, password, otp);
    setBusy(false);
    if (failed?.code === "second_factor_required") {
      setProblem(null);
      setWithCode(true);
      return;
    }
    setProblem(failed);
    if (failed?.code === "otp_invalid") form.current?.querySelector<HTMLInputElement>("[name=otp]")?.select();
    if (failed?.code === "bad_credentials") {
      form.current?.querySelector<HTMLInputElement>("[name=password]")?.select();
    }
  }

  return (
    <CenteredPage below={<DemoLogin onChoose={(email, password) => void enter(email, password)} />}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2}>{t("login.title")}</Title>
          {problem ? (
            <ProblemNotice problem={problem} />
          ) : accepted ? (
            <Alert role="status" color="teal" py="xs">
              {t("login.accepted")}
            </Alert>
          ) : (
            reason !== "none" && (
              <Alert role="status" color={reason === "ended" ? "yellow" : "blue"} py="xs">
                {t(`login.reason.${reason}`)}
              </Alert>
            )
          )}
          <TextInput
            name="email"
            type="email"
            label={t("login.email")}
            autoComplete="username"
            autoFocus
            error={empty.email && t("login.needEmail")}
          />
          <PasswordInput
            name="password"
            label={t("login.password")}
            autoComplete="current-password"
            error={empty.password && t("login.needPassword")}
            visibilityToggleButtonProps={{ "aria-label": t("login.showPassword"), tabIndex: 0 }}
          />
          {withCode && (
            <TextInput
              name="otp"
              label={t("login.code")}
              description={t("login.codeHint")}
              autoComplete="one-time-code"
              autoFocus
              maxLength={32}
            />
          )}
          <Button type="submit" size="sm" loading={busy} mt="xs">
            {t("login.submit")}
          </Button>
          <Group justify="space-between">
            <Anchor component={Link} to="/password" size="sm">
              {t("login.forgot")}
            </Anchor>
            <Anchor component={Link} to="/invitation" size="sm">
              {t("login.haveInvitation")}
            </Anchor>
          </Group>
        </Stack>
      </form>
    </CenteredPage>
  );
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
}
