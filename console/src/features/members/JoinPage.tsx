import { Alert, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { asOneself } from "../../frame/api/client";
import { actFor } from "../../frame/api/owner";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { nameOf, type Membership } from "../../frame/rights";
import { useSession } from "../../frame/session";
import { CenteredPage } from "../../frame/shell/CenteredPage";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { AcceptMembership } from "./documents";
import { forgetToken, takeToken } from "./invitation";

/** Accepts an invitation to act for somebody. The link has its token behind the `#`, which no server is sent. */
export default function JoinPage() {
  const { t } = useTranslation();
  const { state } = useSession();
  const [token] = useState(takeToken);
  usePageTitle(t("join.title"));
  return (
    <CenteredPage width={440}>
      {state.phase === "in" ? (
        <Accept token={token} person={state.viewer.uuid} email={state.viewer.email} />
      ) : (
        <Stack gap="sm">
          <Title order={2}>{t("join.title")}</Title>
          <Text size="sm">{t("join.text")}</Text>
          <Text size="sm">{t("join.loginText")}</Text>
          <Button component={Link} to="/login?next=%2Fjoin" size="sm" mt="xs">
            {t("join.login")}
          </Button>
        </Stack>
      )}
    </CenteredPage>
  );
}

interface AcceptProps {
  token: string;
  person: string;
  email: string;
}

function Accept({ token: given, person, email }: AcceptProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [made, setMade] = useState<Membership | null>(null);
  const form = useRequestForm({ initialValues: { token: given }, shown: () => (given ? [] : ["token"]) });
  const problem = form.refused;

  const accept = form.sends(async ({ token }) => {
    const input = { token: token.replace(/\s/g, "") };
    const { data, error } = await client.mutation(AcceptMembership, { input }, asOneself()).toPromise();
    if (!data?.acceptMembership) return error;
    forgetToken();
    setMade(data.acceptMembership);
  });

  if (made) return <Accepted membership={made} person={person} email={email} />;
  if (problem?.code === "other_email") return <OtherEmail email={email} />;
  const isOver = problem?.code === "invalid_invitation";
  return (
    <form onSubmit={accept} noValidate>
      <Stack gap="sm">
        <Title order={2}>{t("join.title")}</Title>
        {problem === null && <Text size="sm">{t("join.text")}</Text>}
        {isOver ? (
          <Alert role="alert" color="orange" title={t("join.invalid")}>
            {t("join.invalidText")}
          </Alert>
        ) : problem?.code === "already_member" ? (
          <Alert role="status" color="blue">
            {t("join.memberText")}
          </Alert>
        ) : (
          form.problem && <ProblemNotice problem={form.problem} />
        )}
        {(!given || isOver) && (
          <TextInput
            label={t("join.token")}
            description={t("join.tokenHint")}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps("token")}
          />
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {t("join.as", { email })}
        </Text>
        <Group justify="space-between" mt="xs">
          <Button variant="default" component={Link} to="/" onClick={forgetToken}>
            {t("join.later")}
          </Button>
          <Button
            type="submit"
            loading={form.busy}
            disabled={!form.getValues().token.trim()}
            title={!form.getValues().token.trim() ? t("common.fillForm") : undefined}
          >
            {t("join.accept")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The token stays, so that the person who was invited finds it after the login. */
function OtherEmail({ email }: { email: string }) {
  const { t } = useTranslation();
  const { logout } = useSession();
  return (
    <Stack gap="sm">
      <Title order={2}>{t("join.title")}</Title>
      <Alert role="alert" color="orange" title={t("join.wrongPerson")}>
        {t("join.wrongPersonText", { email })}
      </Alert>
      <Group justify="space-between" mt="xs">
        <Button variant="default" component={Link} to="/" onClick={forgetToken}>
          {t("join.own")}
        </Button>
        <Button onClick={() => void logout("loggedOut")}>{t("join.another")}</Button>
      </Group>
    </Stack>
  );
}

interface AcceptedProps {
  membership: Membership;
  person: string;
  email: string;
}

function Accepted({ membership, person, email }: AcceptedProps) {
  const { t } = useTranslation();
  const name = nameOf(membership);
  return (
    <Stack gap="sm">
      <Title order={2} style={{ overflowWrap: "anywhere" }}>
        {t("join.accepted", { name })}
      </Title>
      <Text size="sm" role="status">
        {t("join.acceptedText", { role: t(`acting.roles.${membership.role}`) })}
      </Text>
      <Stack gap="xs" mt="xs">
        <Button onClick={() => actFor({ owner: membership.ownerUuid, name, person, email })}>
          {t("join.start", { name })}
        </Button>
        <Button variant="default" onClick={() => actFor(null)}>
          {t("join.own")}
        </Button>
      </Stack>
    </Stack>
  );
}
