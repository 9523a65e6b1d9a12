import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { problemOf, type Problem } from "../api/errors";
import { waiting } from "../api/freshCode";
import { useTranslation } from "../i18n";
import { useStore } from "../store";
import { useFocusBack } from "../ui/dialogs/useFocusBack";
import { ProblemNotice } from "../ui/page/ProblemNotice";

const VerifySecondFactor = graphql(`
  mutation VerifySecondFactor($input: SecondFactorCode!) {
    verifySecondFactor(input: $input) {
      freshUntil
    }
  }
`);

/** Asks for what a refused request needs: a fresh code of the second factor, or the password. */
export function CodeDialog() {
  const asked = useStore(waiting);
  if (!asked) return null;
  return asked.proof === "code" ? <Code answer={asked.answer} /> : <Password answer={asked.answer} />;
}

interface Props {
  answer: (entered: string | null) => void;
}

function Code({ answer }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [otp, setOtp] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function verify() {
    setBusy(true);
    const { error } = await client.mutation(VerifySecondFactor, { input: { otp } }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else answer(otp);
  }

  return (
    <Opened
      title={t("profile.factor.needed")}
      text={t("profile.factor.neededText")}
      ready={!!otp.trim()}
      busy={busy}
      onSubmit={() => void verify()}
      onClose={() => answer(null)}
    >
      <TextInput
        data-autofocus
        label={t("profile.factor.code")}
        autoComplete="one-time-code"
        maxLength={32}
        value={otp}
        onChange={(event) => setOtp(event.currentTarget.value)}
      />
      {problem && <ProblemNotice problem={problem} />}
    </Opened>
  );
}

function Password({ answer }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  return (
    <Opened
      title={t("profile.factor.passwordNeeded")}
      text={t("profile.factor.passwordNeededText")}
      ready={!!password}
      onSubmit={() => answer(password)}
      onClose={() => answer(null)}
    >
      <PasswordInput
        data-autofocus
        label={t("login.password")}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Opened>
  );
}

interface OpenedProps {
  title: string;
  text: string;
  /** whether something was entered */
  ready: boolean;
  busy?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

function Opened({ title, text, ready, busy = false, onSubmit, onClose, children }: OpenedProps) {
  const { t } = useTranslation();
  useFocusBack();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      zIndex={400}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text size="sm">{text}</Text>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={!ready}
              title={!ready ? t("common.fillForm") : undefined}
            >
              {t("profile.factor.verify")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
