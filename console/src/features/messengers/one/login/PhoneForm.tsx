import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { phoneIn, plainPhone } from "../../../../frame/values/phone";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { beginLogin } from "./beginLogin";
import type { Account } from "../useAccount";

/** Asks for the phone of a login by a code, and begins this login. */
export function PhoneForm({ account, onCancel }: { account: Account; onCancel?: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const proposed = account.phone ?? phoneIn(account.login) ?? "";
  const form = useRequestForm({
    initialValues: { phone: proposed && `+${proposed.replace(/^\+/, "")}` },
  });
  const { phone } = form.getValues();

  const submit = form.sends(() => beginLogin(client, account, plainPhone(phone)));
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
            {...form.getInputProps("phone")}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group gap={6}>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!phone.trim()}
              title={!phone.trim() ? t("common.fillForm") : undefined}
            >
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
