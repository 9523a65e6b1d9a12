import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useClient, useQuery } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { SecretDialog } from "../../frame/ui/dialogs/SecretDialog";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import { graphql } from "../../gql";
import type { BeginTotpMutation } from "../../gql/graphql";

const Factors = graphql(`
  query SecondFactors {
    secondFactors {
      factors {
        uuid
        name
        confirmedAt
      }
      recoveryCodes
      demanded
    }
  }
`);
const Begin = graphql(`
  mutation BeginTotp($input: NewTotp) {
    beginTotp(input: $input) {
      factorUuid: uuid
      secret
      qrPng
    }
  }
`);
const Confirm = graphql(`
  mutation ConfirmTotp($id: ID!, $input: SecondFactorCode!) {
    confirmTotp(id: $id, input: $input) {
      recoveryCodes
    }
  }
`);
const Remove = graphql(`
  mutation RemoveSecondFactor($id: ID!) {
    removeSecondFactor(id: $id)
  }
`);
const NewCodes = graphql(`
  mutation NewRecoveryCodes {
    newRecoveryCodes {
      recoveryCodes
    }
  }
`);

type Begun = NonNullable<BeginTotpMutation["beginTotp"]>;

/** The second factor of the user's logins: adds an authenticator app, removes it, makes new recovery codes. */
export function SecondFactors() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [{ data }, read] = useQuery({ query: Factors });
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const own = data?.secondFactors;
  const refresh = () => read({ requestPolicy: "network-only" });

  async function begin() {
    const { data: made, error } = await client.mutation(Begin, {}).toPromise();
    setProblem(error ? problemOf(error) : null);
    setBegun(made?.beginTotp ?? null);
  }

  async function remove(id: string) {
    const { error } = await client.mutation(Remove, { id }).toPromise();
    setProblem(error ? problemOf(error) : null);
    refresh();
  }

  async function renew() {
    const { data: made, error } = await client.mutation(NewCodes, {}).toPromise();
    setProblem(error ? problemOf(error) : null);
    setCodes(made?.newRecoveryCodes?.recoveryCodes ?? null);
    refresh();
  }

  function confirmed(made: string[]) {
    setBegun(null);
    setCodes(made);
    refresh();
  }

  return (
    <Paper p="sm">
      <Stack gap="sm">
        <div>
          <Title order={2}>{t("profile.factor.title")}</Title>
          <Text size="xs" c="dimmed">
            {t("profile.factor.text")}
          </Text>
        </div>
        {own?.demanded && own.factors.length === 0 && (
          <Alert color="yellow" role="status">
            {t("profile.factor.demanded")}
          </Alert>
        )}
        {own?.factors.map(({ uuid, name, confirmedAt }) => (
          <Group key={uuid} justify="space-between">
            <div>
              <Text size="sm">{name}</Text>
              <Text size="xs" c="dimmed">
                {confirmedAt && t("profile.factor.since", { time: format.fullTime(confirmedAt) })}
              </Text>
            </div>
            <Button variant="default" onClick={() => void remove(uuid)}>
              {t("profile.factor.remove")}
            </Button>
          </Group>
        ))}
        {own && own.factors.length > 0 && (
          <Group justify="space-between">
            <Text size="sm">{t("profile.factor.codesLeft", { number: own.recoveryCodes })}</Text>
            <Button variant="default" onClick={() => void renew()}>
              {t("profile.factor.newCodes")}
            </Button>
          </Group>
        )}
        {problem && <ProblemNotice problem={problem} />}
        {begun ? (
          <Adding begun={begun} onConfirmed={confirmed} onCancel={() => setBegun(null)} />
        ) : (
          own?.factors.length === 0 && (
            <Group justify="flex-end">
              <Button onClick={() => void begin()}>{t("profile.factor.add")}</Button>
            </Group>
          )
        )}
      </Stack>
      {codes && (
        <SecretDialog
          title={t("profile.factor.codes")}
          secret={codes.join("\n")}
          onClose={() => setCodes(null)}
        >
          <Text size="sm">{t("profile.factor.codesText")}</Text>
          <Anchor
            size="sm"
            download="postern-recovery-codes.txt"
            href={`data:text/plain,${encodeURIComponent(codes.join("\n"))}`}
          >
            {t("profile.factor.download")}
          </Anchor>
        </SecretDialog>
      )}
    </Paper>
  );
}

interface AddingProps {
  begun: Begun;
  onConfirmed: (codes: string[]) => void;
  onCancel: () => void;
}

function Adding({ begun, onConfirmed, onCancel }: AddingProps) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({ initialValues: { otp: "" } });

  const confirm = form.sends(async (input) => {
    const { data, error } = await client.mutation(Confirm, { id: begun.factorUuid, input }).toPromise();
    if (!data?.confirmTotp) return error;
    onConfirmed(data.confirmTotp.recoveryCodes);
  });

  return (
    <form onSubmit={confirm} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("profile.factor.scan")}</Text>
        <img
          src={`data:image/png;base64,${begun.qrPng}`}
          alt={t("profile.factor.picture")}
          width={240}
          height={240}
        />
        <Group gap="xs">
          <Text size="sm" ff="monospace" data-secret>
            {begun.secret}
          </Text>
          <CopyButton text={begun.secret} label={t("profile.factor.copySecret")} />
        </Group>
        <TextInput
          label={t("profile.factor.code")}
          autoComplete="one-time-code"
          autoFocus
          maxLength={32}
          {...form.getInputProps("otp")}
        />
        {form.problem && <ProblemNotice problem={form.problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            loading={form.busy}
            disabled={!form.getValues().otp.trim()}
            title={!form.getValues().otp.trim() ? t("common.fillForm") : undefined}
          >
            {t("profile.factor.confirm")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
