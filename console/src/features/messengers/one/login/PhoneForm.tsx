import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { elsewhere } from "../../../../frame/api/errors";
import { phoneIn, plainPhone } from "../../../../frame/values/phone";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useLogin } from "./useLogin";
import type { Account } from "../useAccount";

/** Asks for the phone of a login by a code, and begins this login. */
export function PhoneForm({ account, onCancel }: { account: Account; onCancel?: () => void }) {
  const { t } = useTranslation();
  const { login, busy, problem, forget } = useLogin(account);
  const proposed = account.phone ?? phoneIn(account.login) ?? "";
  const [phone, setPhone] = useState(proposed && `+${proposed.replace(/^\+/, "")}`);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    await login(plainPhone(phone));
  }
  const noticed = elsewhere(problem, ["phone"]);
  return (
    <Paper p="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          <div>
            <Title order={2}>{t("messengers.enter.phone.title")}</Title>
            <Text size="sm">{t(`messengers.enter.phone.${account.source}`)}</Text>
          </div>
          <TextInput
            label={t("messengers.fields.phone")}
            placeholder="+14155550100"
            type="tel"
            autoComplete="tel"
            value={phone}
            error={problem?.fields.phone}
            onChange={(event) => {
              setPhone(event.currentTarget.value);
              forget();
            }}
          />
          {noticed && <ProblemNotice problem={noticed} />}
          <Group gap={6}>
            <Button type="submit" loading={busy} disabled={!phone.trim()}>
              {t(`messengers.getCode.${account.source}`)}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t("common.cancel")}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
