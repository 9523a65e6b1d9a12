import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { firstBilling } from "../../frame/purpose/firstBilling";
import { PurposeChoice } from "../../frame/purpose/PurposeChoice";
import { useSession } from "../../frame/session";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import type { Purpose } from "../../gql/graphql";
import { CreateFirstUser, EndInvitedLogin } from "./documents";
import { NameField, NewPasswordField } from "./Fields";
import { useLinkToken } from "./useLinkToken";

/** Makes the first administrator, by the one-time link that `postern serve` prints to its terminal, and logs in. */
export default function FirstUserPage() {
  const { t } = useTranslation();
  const token = useLinkToken();
  usePageTitle(t("firstUser.title"));
  return (
    <CenteredPage width={480} top="3dvh">
      <Stack gap="sm">
        <Title order={2}>{t("firstUser.title")}</Title>
        {token ? (
          <Create token={token} />
        ) : (
          <Alert color="yellow" py="xs">
            {t("firstUser.noLink")}
          </Alert>
        )}
        <Anchor href="/console/login" size="sm">
          {t("password.login")}
        </Anchor>
      </Stack>
    </CenteredPage>
  );
}

function Create({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const { login } = useSession();
  const form = useRequestForm({
    initialValues: { email: "", password: "", displayName: "", purposes: [] as Purpose[] },
  });
  const { password, purposes } = form.getValues();
  const email = form.getValues().email.trim();
  const displayName = form.getValues().displayName.trim();
  const costs = purposes.length === 0 ? "none" : firstBilling(purposes);

  const create = form.sends(async () => {
    const input = { token, email, password, purposes, ...(displayName && { displayName }) };
    const { data, error } = await client.mutation(CreateFirstUser, { input }).toPromise();
    const accessToken = data?.createFirstUser?.accessToken;
    if (!accessToken) return error;
    // The console has a login of its own, so the one of the token is not needed.
    const headers = { Authorization: `Bearer ${accessToken}` };
    await client.mutation(EndInvitedLogin, {}, { fetchOptions: { headers } }).toPromise();
    const failed = await login(email, password);
    void navigate(failed ? "/login" : "/", { replace: true });
  });

  return (
    <form onSubmit={create} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("firstUser.text")}</Text>
        {form.problem && <ProblemNotice problem={form.problem} />}
        <TextInput
          type="email"
          label={t("login.email")}
          autoComplete="username"
          autoFocus
          {...form.getInputProps("email")}
        />
        <NewPasswordField label={t("password.new")} {...form.getInputProps("password")} />
        <NameField label={t("firstUser.name")} autoComplete="name" {...form.getInputProps("displayName")} />
        <PurposeChoice {...form.getInputProps("purposes")} />
        <Text size="xs" c="dimmed" role="status">
          {t(`purpose.costs.${costs}`)} {t("purpose.later")}
        </Text>
        <Button
          type="submit"
          size="sm"
          loading={form.busy}
          disabled={!email || !password}
          title={!email || !password ? t("common.fillForm") : undefined}
        >
          {t("firstUser.create")}
        </Button>
      </Stack>
    </form>
  );
}
