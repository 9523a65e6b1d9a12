import { Button, Group, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { asOneself } from "../../frame/api/client";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { chooseLanguage, LANGUAGES, type Language } from "../../frame/preferences";
import { useSession, useViewer } from "../../frame/session";
import { LANGUAGE_NAMES } from "../../frame/shell/LanguageSwitch";
import { askLogoutEverywhere } from "../../frame/shell/LogoutEverywhere";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { Memberships } from "./Memberships";
import { PageHead } from "../../frame/ui/page/PageHead";
import { Narrow } from "../../frame/ui/page/Narrow";
import { PasswordForm } from "./PasswordForm";
import { SecondFactors } from "./SecondFactors";

const SaveProfile = graphql(`
  mutation SaveProfile($id: ID!, $input: UserPatch!) {
    updateUser(id: $id, input: $input) {
      uuid
      email
      displayName
      locale
    }
  }
`);

export default function ProfilePage() {
  const { t } = useTranslation();
  usePageTitle(t("account.profile"));
  return (
    <Stack gap="sm">
      <PageHead title={t("account.profile")} />
      <Narrow>
        <Person />
        <PasswordForm />
        <SecondFactors />
        <Memberships />
        <Logins />
      </Narrow>
    </Stack>
  );
}

function Person() {
  const { t, language } = useTranslation();
  const viewer = useViewer();
  const { check } = useSession();
  const client = useClient();
  const [saved, setSaved] = useState(false);
  const form = useRequestForm({ initialValues: { displayName: viewer.displayName, email: viewer.email } });
  const { displayName, email } = form.getValues();
  const input = {
    ...(displayName !== viewer.displayName && { displayName }),
    ...(email !== viewer.email && { email }),
  };
  const changed = Object.keys(input).length > 0;

  const save = form.sends(async () => {
    const { error } = await client.mutation(SaveProfile, { id: viewer.uuid, input }, asOneself()).toPromise();
    if (error) return error;
    await check();
    setSaved(true);
  });

  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput label={t("profile.name")} autoComplete="name" {...form.getInputProps("displayName")} />
          <TextInput
            type="email"
            label={t("login.email")}
            autoComplete="email"
            {...form.getInputProps("email")}
          />
          <Select
            label={t("language.choose")}
            allowDeselect={false}
            value={language}
            onChange={(value) => value && chooseLanguage(value as Language)}
            data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Text role="status" size="sm" c="dimmed">
              {saved && !changed && t("profile.saved")}
            </Text>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!changed}
              title={!changed ? t("common.unchanged") : undefined}
            >
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Logins() {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Group justify="space-between">
        <div>
          <Title order={2}>{t("profile.logins")}</Title>
          <Text size="xs" c="dimmed">
            {t("profile.loginsText")}
          </Text>
        </div>
        <Button variant="default" onClick={askLogoutEverywhere}>
          {t("account.logoutEverywhere")}
        </Button>
      </Group>
    </Paper>
  );
}
