import { Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useClient } from "urql";
import { codesOf } from "../../frame/api/errors";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useSession } from "../../frame/session";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { AcceptInvitation, EndInvitedLogin, InvitedUser } from "./documents";
import { NameField, NewPasswordField } from "./Fields";
import { useLinkToken } from "./useLinkToken";

/** Sets the password of an invited user, and logs in. The link has the token behind the `#`, which no server is sent. */
export default function InvitationPage() {
  const { t } = useTranslation();
  usePageTitle(t("invitation.title"));
  return (
    <CenteredPage>
      <Accept />
    </CenteredPage>
  );
}

function Accept() {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const { login } = useSession();
  const given = useLinkToken();
  const [byLink, setByLink] = useState(given !== "");
  const form = useRequestForm({ initialValues: { token: given, password: "", displayName: "" } });
  const { token, password, displayName } = form.getValues();

  const accept = form.sends(async () => {
    const input = {
      token: token.replace(/\s/g, ""),
      password,
      ...(displayName.trim() && { displayName: displayName.trim() }),
    };
    const { data, error } = await client.mutation(AcceptInvitation, { input }).toPromise();
    const accessToken = data?.acceptInvitation?.accessToken;
    if (!accessToken) {
      // A link that is not valid any more may be replaced by the token of a new invitation.
      if (codesOf(error).includes("unauthenticated")) setByLink(false);
      return error;
    }
    if (await logInWith(accessToken)) void navigate("/", { replace: true });
    else void navigate("/login", { replace: true, state: { accepted: true } });
  });

  /** Logs in to the console as the user of this token, whose password was just typed. Returns whether that worked. */
  async function logInWith(accessToken: string): Promise<boolean> {
    const context = { fetchOptions: { headers: { Authorization: `Bearer ${accessToken}` } } };
    const { data } = await client
      .query(InvitedUser, {}, { ...context, requestPolicy: "network-only" })
      .toPromise();
    if (!data?.me) return false;
    // The console has a login of its own, so the one of the token is not needed.
    await client.mutation(EndInvitedLogin, {}, context).toPromise();
    return (await login(data.me.email, password)) === null;
  }

  return (
    <form onSubmit={accept} noValidate>
      <Stack gap="sm">
        <Title order={2}>{t("invitation.title")}</Title>
        <Text size="sm">{t(byLink ? "invitation.byLink" : "invitation.text")}</Text>
        {form.problem && <ProblemNotice problem={form.problem} />}
        {!byLink && (
          <TextInput
            label={t("invitation.token")}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            {...form.getInputProps("token")}
          />
        )}
        <NameField label={t("invitation.name")} autoComplete="name" {...form.getInputProps("displayName")} />
        <NewPasswordField label={t("invitation.password")} {...form.getInputProps("password")} />
        <Button
          type="submit"
          size="sm"
          loading={form.busy}
          disabled={!token.trim() || !password}
          title={!token.trim() || !password ? t("common.fillForm") : undefined}
          mt="xs"
        >
          {t("invitation.accept")}
        </Button>
        <Anchor component={Link} to="/login" size="sm">
          {t("invitation.login")}
        </Anchor>
      </Stack>
    </form>
  );
}

/** What somebody sees who opens the page while logged in as another user. */
export function LoggedIn() {
  const { t } = useTranslation();
  const { state, logout } = useSession();
  const email = state.phase === "in" ? state.viewer.email : "";
  usePageTitle(t("invitation.title"));
  return (
    <Stack gap="xs" py="xl" align="center">
      <Title order={1}>{t("invitation.title")}</Title>
      <Text c="dimmed">{t("invitation.loggedIn", { email })}</Text>
      <Button variant="default" onClick={() => void logout("loggedOut")}>
        {t("account.logout")}
      </Button>
    </Stack>
  );
}
