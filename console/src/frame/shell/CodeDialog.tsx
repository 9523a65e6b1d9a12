import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
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

/** Asks for a code of the second factor when a request needs a fresh one; the request is repeated afterwards. */
export function CodeDialog() {
  const answer = useStore(waiting);
  return answer ? <Opened answer={answer} /> : null;
}

function Opened({ answer }: { answer: (accepted: boolean) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [otp, setOtp] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  useFocusBack();

  async function verify(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const { error } = await client.mutation(VerifySecondFactor, { input: { otp } }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else answer(true);
  }

  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={t("profile.factor.needed")}
      zIndex={400}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={verify} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t("profile.factor.neededText")}</Text>
          <TextInput
            data-autofocus
            label={t("profile.factor.code")}
            autoComplete="one-time-code"
            maxLength={32}
            value={otp}
            onChange={(event) => setOtp(event.currentTarget.value)}
          />
          {problem && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answer(false)}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!otp.trim()}>
              {t("profile.factor.verify")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
