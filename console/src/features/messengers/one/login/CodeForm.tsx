import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { GivePassword, SolveChallenge } from "../../documents";
import { phoneOf } from "../../states";
import type { Account } from "../useAccount";

const WRONG = new Set(["code_invalid", "password_invalid"]);

/** Takes the code that the messenger has sent, or the cloud password. Neither is stored. */
export function CodeForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const client = useClient();
  const code = account.state === "waitCode";
  const kind = code ? "code" : "password";
  const id = account.uuid;
  const values = { messenger: t(`channels.${account.source}`), phone: phoneOf(account) ?? account.login };
  const form = useRequestForm({ initialValues: { text: "" }, names: { [kind]: "text" } });
  const wrong =
    form.refused && WRONG.has(form.refused.code) ? t(`messengers.wrong.${kind}`, values) : undefined;
  const left = account.attemptsLeft;

  const submit = form.sends(async ({ text }) => {
    const { error } = code
      ? await client.mutation(SolveChallenge, { id, code: text.trim() }).toPromise()
      : await client.mutation(GivePassword, { id, password: text }).toPromise();
    if (error) form.reset();
    return error;
  });

  const field = {
    ...form.getInputProps("text"),
    label: t(`messengers.fields.${kind}`, values),
    error: wrong ?? form.errors.text,
    autoFocus: true,
  };
  return (
    <Paper p="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          <div>
            <Title order={2}>{t(`messengers.enter.${kind}.title`, values)}</Title>
            <Text size="sm">{t(`messengers.enter.${kind}.text`, values)}</Text>
          </div>
          {code ? (
            <TextInput {...field} inputMode="numeric" autoComplete="one-time-code" maxLength={32} />
          ) : (
            <PasswordInput
              {...field}
              autoComplete="off"
              visibilityToggleButtonProps={{ "aria-label": t("login.showPassword") }}
            />
          )}
          {typeof left === "number" && (
            <Text size="xs" fw={left === 1 ? 600 : undefined} role="status">
              {t("messengers.attempts", { count: left })}
            </Text>
          )}
          {form.problem && !wrong && <ProblemNotice problem={form.problem} />}
          <Group>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!form.getValues().text.trim()}
              title={!form.getValues().text.trim() ? t("common.fillForm") : undefined}
            >
              {t("messengers.confirm")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
