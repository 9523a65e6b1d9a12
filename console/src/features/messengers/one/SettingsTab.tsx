import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { elsewhere } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { Notice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { CLOUD_FIELDS, CloudFields, isComplete, NO_CREDENTIALS } from "../CloudFields";
import { UpdateMessenger } from "../documents";
import { BehaviourForm } from "./BehaviourForm";
import { LoginMethod } from "./login/LoginMethod";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

export function SettingsTab({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" maw={640}>
      <Name account={account} onChanged={onChanged} />
      {account.driver === "whatsapp_cloud" ? (
        <Credentials account={account} onChanged={onChanged} />
      ) : (
        <Paper p="sm">
          <Title order={2}>{t("messengers.method.title")}</Title>
          <Text size="sm" mb="xs">
            {t("messengers.method.text")}
          </Text>
          {account.state === "working" ? (
            <Text size="sm" c="dimmed">
              {t("messengers.method.working")}
            </Text>
          ) : (
            <LoginMethod account={account} />
          )}
        </Paper>
      )}
      <BehaviourForm account={account} />
    </Stack>
  );
}

function Name({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  const [name, setName] = useState(account.name);
  const [saved, setSaved] = useState(false);
  const noticed = elsewhere(problem, ["name"]);
  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(await act(UpdateMessenger, { id: account.uuid, input: { name: name.trim() } }))) return;
    setSaved(true);
    onChanged();
  }
  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("messengers.fields.name")}
            description={t("messengers.help.name")}
            value={name}
            error={problem?.fields.name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setSaved(false);
              forget();
            }}
          />
          {noticed && <ProblemNotice problem={noticed} />}
          <Notice message={saved ? t("messengers.saved") : null} />
          <Group>
            <Button type="submit" loading={busy} disabled={!name.trim() || name.trim() === account.name}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Credentials({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  const [saved, setSaved] = useState(false);
  const noticed = elsewhere(problem, CLOUD_FIELDS);
  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(await act(UpdateMessenger, { id: account.uuid, input: { credentials } }))) return;
    setCredentials(NO_CREDENTIALS);
    setSaved(true);
    onChanged();
  }
  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <div>
            <Title order={2}>{t("messengers.cloud.title")}</Title>
            <Text size="sm">{t("messengers.cloud.replace")}</Text>
          </div>
          <CloudFields
            value={credentials}
            errors={problem?.fields ?? {}}
            onChange={(value) => {
              setCredentials(value);
              setSaved(false);
              forget();
            }}
          />
          {noticed && <ProblemNotice problem={noticed} />}
          <Notice message={saved ? t("messengers.saved") : null} />
          <Group>
            <Button type="submit" loading={busy} disabled={!isComplete(credentials)}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
