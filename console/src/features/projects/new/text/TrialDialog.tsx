import { Alert, Button, Code, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useBilling } from "../../../../frame/billing";
import { PersonSelect } from "../../../../frame/contacts/PersonSelect";
import { addressOn, recipientOf, valuesOf, type Recipient } from "../../../../frame/contacts/person";
import { useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { SetUpProvider } from "../../../../frame/sandbox/SandboxNotice";
import { useSandbox } from "../../../../frame/sandbox/useSandbox";
import { useLeaving } from "../../../../frame/ui/dialogs/useLeaving";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { StateBadge } from "../../../../frame/ui/StateBadge";
import type { PersonFragment, ProjectChoicesQuery, SendTrialMutation } from "../../../../gql/graphql";
import { SendTrial } from "../documents";
import { needsSenders, type Draft } from "../draft";
import { EarlierTrials } from "./EarlierTrials";

interface Props {
  draft: Draft;
  choices: ProjectChoicesQuery | undefined;
  /** whose values the test message has */
  recipient: Recipient | null;
  onClose: () => void;
}

const KEY = "postern-console-trial";
type Result = NonNullable<SendTrialMutation["sendTestMessage"]>;

/** Sends one message now, to the user's own phone or address. */
export function TrialDialog({ draft, choices, recipient: shown, onClose }: Props) {
  const { t } = useTranslation();
  const free = useBilling() === "off" ? "Free" : "";
  const client = useClient();
  const viewer = useViewer();
  const key = `${KEY}-${draft.channel}`;
  const senders = (choices?.sourceAccounts?.nodes ?? []).filter(({ source }) => source === draft.channel);
  const form = useRequestForm({
    initialValues: {
      to: remembered(key) || (draft.channel === "email" ? viewer.email : ""),
      sender: draft.accountUuids[0] ?? senders[0]?.uuid ?? null,
    },
    names: { accountUuid: "sender" },
    shown: () => (needsSenders(draft.channel) ? ["to", "sender"] : ["to"]),
  });
  const { to } = form.getValues();
  const seesContacts = useSeesContacts();
  const [person, setPerson] = useState<PersonFragment | null>(null);
  const recipient = person ? recipientOf(person, draft.channel) : shown;
  const sandbox = useSandbox(draft.channel);
  const [result, setResult] = useState<Result | null>(null);

  const send = form.sends(async ({ to, sender }) => {
    setResult(null);
    const variables = recipient ? valuesOf(recipient) : {};
    const { data, error } = await client
      .mutation(SendTrial, {
        input: {
          channel: draft.channel,
          to: to.trim(),
          // Without a text it is made from the HTML.
          text: draft.text.trim() ? draft.text : null,
          subject: draft.channel === "email" || draft.channel === "push" ? draft.subject || null : null,
          html: draft.channel === "email" ? draft.html || null : null,
          from: draft.channel === "email" ? draft.from : null,
          sender: (draft.channel === "sms" && draft.sender) || null,
          accountUuid: needsSenders(draft.channel) ? sender : null,
          variables,
        },
      })
      .toPromise();
    if (!data?.sendTestMessage) return error;
    setResult(data.sendTestMessage);
    remember(key, to.trim());
  });

  const { leave, question } = useLeaving(() => !result && form.isDirty(), onClose);
  return (
    <Modal
      opened
      onClose={leave}
      title={t("making.trial")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={send} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            {recipient
              ? t(`making.trialText${free}`, { recipient: recipient.name ?? recipient.address })
              : t(`making.trialTextNobody${free}`)}
          </Text>
          <TextInput data-autofocus label={t("making.trialTo")} withAsterisk {...form.getInputProps("to")} />
          {seesContacts && (
            <PersonSelect
              label={t("making.trialContact")}
              description={t("making.trialContactHint")}
              channel={draft.channel}
              value={person}
              clearable
              onChange={(next) => {
                setPerson(next);
                if (next) form.setFieldValue("to", addressOn(next, draft.channel) ?? "");
              }}
            />
          )}
          {needsSenders(draft.channel) && (
            <Select
              label={t("making.senders")}
              {...form.getInputProps("sender")}
              data={senders.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            />
          )}
          {form.problem && <ProblemNotice problem={form.problem} />}
          {result && (
            <Alert color={result.error ? "red" : "teal"} role="status">
              <Group gap="xs">
                {!(sandbox && result.status !== "failed") && <StateBadge state={result.status} />}
                <Text size="sm">
                  {result.error ? result.error.message : t(sandbox ? "sandbox.trial" : "making.trialSent")}
                </Text>
              </Group>
              {sandbox && !result.error && <SetUpProvider />}
              {result.error && (
                <Text size="xs" c="dimmed">
                  {t("message.code")} <Code>{result.error.code}</Code>
                </Text>
              )}
            </Alert>
          )}
          {question}
          <Group justify="flex-end">
            {!to.trim() && (
              <Text size="xs" c="dimmed" me="auto">
                {t("common.fillFirst")}
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              {t("common.close")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!to.trim()}>
              {t("making.trialSend")}
            </Button>
          </Group>
          <EarlierTrials channel={draft.channel} />
        </Stack>
      </form>
    </Modal>
  );
}

/** The last address of a channel, because tests go to the same phone again and again. */
function remembered(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function remember(key: string, to: string): void {
  try {
    localStorage.setItem(key, to);
  } catch {
    // Storage is blocked: the address is typed again.
  }
}
