import { Button, Group, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "../../frame/i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { asOneself } from "../../frame/api/client";
import { problemOf, type Problem } from "../../frame/api/errors";
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
  const [name, setName] = useState(viewer.displayName);
  const [email, setEmail] = useState(viewer.email);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const changed = name !== viewer.displayName || email !== viewer.email;

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const input = {
      ...(name !== viewer.displayName && { displayName: name }),
      ...(email !== viewer.email && { email }),
    };
    const { error } = await client.mutation(SaveProfile, { id: viewer.uuid, input }, asOneself()).toPromise();
    setProblem(error ? problemOf(error) : null);
    if (!error) {
      await check();
      setSaved(true);
    }
    setBusy(false);
  }

  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("profile.name")}
            autoComplete="name"
            value={name}
            error={problem?.fields.displayName}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            type="email"
            label={t("login.email")}
            autoComplete="email"
            value={email}
            error={problem?.fields.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label={t("language.choose")}
            allowDeselect={false}
            value={language}
            onChange={(value) => value && chooseLanguage(value as Language)}
            data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          {problem && !problem.fields.displayName && !problem.fields.email && (
            <ProblemNotice problem={problem} />
          )}
          <Group justify="flex-end">
            <Text role="status" size="sm" c="dimmed">
              {saved && !changed && t("profile.saved")}
            </Text>
            <Button type="submit" loading={busy} disabled={!changed}>
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
