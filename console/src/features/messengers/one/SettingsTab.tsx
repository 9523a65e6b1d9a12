import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { Narrow } from "../../../frame/ui/page/Narrow";
import { Notice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { CLOUD_NAMES, CloudFields, credentialsOf, isComplete, NO_CREDENTIALS } from "../CloudFields";
import { UpdateMessenger } from "../documents";
import { BehaviourForm } from "./BehaviourForm";
import { LoginMethod } from "./login/LoginMethod";
import type { Account } from "./useAccount";

export function SettingsTab({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  return (
    <Narrow>
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
    </Narrow>
  );
}

function Name({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [saved, setSaved] = useState(false);
  const form = useRequestForm({
    initialValues: { name: account.name },
    onValuesChange: () => setSaved(false),
  });
  const name = form.getValues().name.trim();

  const save = form.sends(async () => {
    const { error } = await client
      .mutation(UpdateMessenger, { id: account.uuid, input: { name } })
      .toPromise();
    if (error) return error;
    setSaved(true);
    onChanged();
  });
  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("messengers.fields.name")}
            description={t("messengers.help.name")}
            {...form.getInputProps("name")}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Notice message={saved ? t("messengers.saved") : null} />
          <Group>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!name || name === account.name}
              title={!name || name === account.name ? t("common.unchanged") : undefined}
            >
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
  const client = useClient();
  const [saved, setSaved] = useState(false);
  const form = useRequestForm({
    initialValues: { ...NO_CREDENTIALS },
    names: CLOUD_NAMES,
    onValuesChange: () => setSaved(false),
  });

  const save = form.sends(async (values) => {
    const input = { credentials: credentialsOf(values) };
    const { error } = await client.mutation(UpdateMessenger, { id: account.uuid, input }).toPromise();
    if (error) return error;
    form.reset();
    setSaved(true);
    onChanged();
  });
  return (
    <Paper p="sm">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <div>
            <Title order={2}>{t("messengers.cloud.title")}</Title>
            <Text size="sm">{t("messengers.cloud.replace")}</Text>
          </div>
          <CloudFields input={form.getInputProps} />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Notice message={saved ? t("messengers.saved") : null} />
          <Group>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!isComplete(form.getValues())}
              title={!isComplete(form.getValues()) ? t("common.fillForm") : undefined}
            >
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
