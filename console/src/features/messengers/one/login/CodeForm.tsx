import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { GivePassword, SolveChallenge } from "../../documents";
import { phoneOf } from "../../states";
import { useAct } from "../useAct";
import type { Account } from "../useAccount";

const WRONG = new Set(["code_invalid", "password_invalid"]);

/** Takes the code that the messenger has sent, or the cloud password. Neither is stored. */
export function CodeForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  const [text, setText] = useState("");
  const code = account.state === "waitCode";
  const kind = code ? "code" : "password";
  const id = account.uuid;
  const values = { messenger: t(`channels.${account.source}`), phone: phoneOf(account) ?? account.login };
  const wrong =
    problem && WRONG.has(problem.code) ? t(`messengers.wrong.${kind}`, values) : problem?.fields[kind];
  const left = account.attemptsLeft;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const done = code
      ? await act(SolveChallenge, { id, code: text.trim() })
      : await act(GivePassword, { id, password: text });
    if (!done) setText("");
  }

  const field = {
    label: t(`messengers.fields.${kind}`, values),
    value: text,
    error: wrong,
    autoFocus: true,
    onChange: (event: { currentTarget: { value: string } }) => {
      setText(event.currentTarget.value);
      forget();
    },
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
          {problem && !wrong && <ProblemNotice problem={problem} />}
          <Group>
            <Button type="submit" loading={busy} disabled={!text.trim()}>
              {t("messengers.confirm")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
