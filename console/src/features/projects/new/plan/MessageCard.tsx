import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconPencil, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import page from "../../projects.module.css";
import classes from "../new.module.css";
import { hasText, isTemplate, type StepName } from "../draft";
import { useRecipient } from "../text/people/useRecipient";
import { TrialDialog } from "../text/TrialDialog";
import { letterOf } from "../text/variants";
import type { DraftState } from "../useDraft";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
  onStep: (step: StepName) => void;
}

/** What will be sent, as it is written, and the way to a last test of it. */
export function MessageCard({ state, choices, onStep }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { draft } = state;
  const { values } = useRecipient(state);
  const [trying, setTrying] = useState(false);
  const texts = draft.variants.length > 0 ? draft.variants.map(({ text }) => text) : [draft.text];
  const [first = ""] = texts;
  const from = draft.channel === "email" ? draft.from : draft.channel === "sms" ? draft.sender : null;
  const sends = draft.channel === "email" || draft.channel === "sms";
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("making.message")}</Title>
        <Group gap={6}>
          <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => onStep("text")}>
            {t("making.changeText")}
          </Button>
          {may("projects:send") && hasText(draft) && (
            <Button variant="default" leftSection={<IconSend size={14} />} onClick={() => setTrying(true)}>
              {t("making.trial")}
            </Button>
          )}
        </Group>
      </Group>
      <dl className={classes.message}>
        {sends && (
          <>
            <dt>{t("from.label")}</dt>
            <dd>{from || t("making.defaultFrom")}</dd>
          </>
        )}
        {(draft.channel === "email" || draft.channel === "push") && (
          <>
            <dt>{t(draft.channel === "email" ? "send.subject" : "send.pushTitle")}</dt>
            <dd dir="auto">{draft.subject || "–"}</dd>
          </>
        )}
        {draft.template && isTemplate(draft.template) && (
          <>
            <dt>{t("making.template")}</dt>
            <dd>
              {draft.template.name} ({draft.template.language})
            </dd>
          </>
        )}
        {texts.map((text, index) => (
          <Facts
            key={index}
            label={texts.length > 1 ? `${t("send.text")} ${letterOf(index)}` : t("send.text")}
            text={text}
          />
        ))}
      </dl>
      {draft.channel === "email" && draft.html.trim() && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("making.withHtml")}
        </Text>
      )}
      {trying && (
        <TrialDialog
          draft={{ ...draft, text: first }}
          choices={choices}
          recipient={values}
          onClose={() => setTrying(false)}
        />
      )}
    </Paper>
  );
}

function Facts({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <pre className={page.text} dir="auto">
          {text || "–"}
        </pre>
      </dd>
    </>
  );
}
