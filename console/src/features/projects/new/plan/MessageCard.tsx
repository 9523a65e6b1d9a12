import { Alert, Button, Group, Loader, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { IconPencil, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { withMarks } from "../../../../frame/values/marks";
import type { ProjectChoicesQuery, ProjectSamplesQuery } from "../../../../gql/graphql";
import page from "../../projects.module.css";
import { hasText, isTemplate, type StepName } from "../draft";
import classes from "../new.module.css";
import { useRecipient } from "../text/people/useRecipient";
import { EmailPreview } from "../text/preview/EmailPreview";
import { TrialDialog } from "../text/TrialDialog";
import { letterOf } from "../text/variants";
import type { DraftState } from "../useDraft";
import { ProjectSamples } from "./documents";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
  onStep: (step: StepName) => void;
}

type Samples = NonNullable<ProjectSamplesQuery["sendingProjectSamples"]>;

/** The messages as a few recipients will get them, and the way to a last test. */
export function MessageCard({ state, choices, onStep }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { draft, project } = state;
  const { values } = useRecipient(state);
  const [trying, setTrying] = useState(false);
  const texts = draft.variants.length > 0 ? draft.variants.map(({ text }) => text) : [draft.text];
  const [first = ""] = texts;
  const pause = !project || state.saving !== "saved" || !hasText(draft);
  const { data, problem, loading, reload } = useLoaded(ProjectSamples, { id: project?.uuid ?? "" }, pause);
  const samples = data?.sendingProjectSamples ?? null;
  const own = draft.channel === "email" ? draft.from : draft.channel === "sms" ? draft.sender : null;
  const sends = draft.channel === "email" || draft.channel === "sms";
  const messages = samples?.messages ?? [];
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("making.letters")}</Title>
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
      {sends && (
        <Text size="sm" mb="xs" style={{ overflowWrap: "anywhere" }}>
          <Text span size="sm" c="dimmed">
            {t("from.label")}:{" "}
          </Text>
          {withMarks(own ?? samples?.from ?? t("making.defaultFrom"))}
        </Text>
      )}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {loading && !samples && <Loader size="sm" aria-label={t("common.loading")} />}
      {messages.length > 0 && (
        <Letters
          messages={messages}
          channel={draft.channel}
          from={own ?? samples?.from ?? null}
          isMade={!first.trim()}
        />
      )}
      <details className={classes.sources} open={samples !== null && messages.length === 0}>
        <summary>
          <Text span size="sm" c="dimmed">
            {t(samples && messages.length === 0 ? "making.lettersNobody" : "making.sources")}
          </Text>
        </summary>
        <Sources state={state} texts={texts} />
      </details>
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

interface LettersProps {
  messages: Samples["messages"];
  channel: string;
  from: string | null;
  isMade: boolean;
}

/** One of the messages at a time: who gets it is chosen above it. */
function Letters({ messages, channel, from, isMade }: LettersProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const message = messages[chosen] ?? messages[0];
  if (!message) return null;
  const { subject, body, html, missing } = message;
  return (
    <div className={classes.letters}>
      <Text size="xs" c="dimmed">
        {t("making.lettersOf", { count: messages.length })}
      </Text>
      {messages.length > 1 && (
        <SegmentedControl
          size="xs"
          className={classes.people}
          aria-label={t("making.previewFor")}
          value={String(Math.min(chosen, messages.length - 1))}
          onChange={(value) => setChosen(Number(value))}
          data={messages.map(({ to }, index) => ({ value: String(index), label: withMarks(to) }))}
        />
      )}
      {messages.length === 1 && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {t("making.letterFor", { to: withMarks(message.to) })}
        </Text>
      )}
      {missing.length > 0 && (
        <Alert color="orange">{t("making.lettersLack", { names: missing.join(", ") })}</Alert>
      )}
      {channel === "email" ? (
        <EmailPreview subject={subject} body={body} html={html} from={from} isMade={isMade} />
      ) : (
        <>
          {subject && (
            <Text size="sm" fw={600} dir="auto">
              {withMarks(subject)}
            </Text>
          )}
          <pre className={page.text} dir="auto">
            {body || "–"}
          </pre>
        </>
      )}
    </div>
  );
}

/** The texts before names are put into them. */
function Sources({ state, texts }: { state: DraftState; texts: readonly string[] }) {
  const { t } = useTranslation();
  const { draft } = state;
  const isEmail = draft.channel === "email";
  const shown = texts.some((text) => text.trim()) || !draft.html.trim() ? texts : [];
  return (
    <dl className={classes.message}>
      {(isEmail || draft.channel === "push") && (
        <>
          <dt>{t(isEmail ? "send.subject" : "send.pushTitle")}</dt>
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
      {shown.map((text, index) => (
        <Source
          key={index}
          label={texts.length > 1 ? `${t("send.text")} ${letterOf(index)}` : t("send.text")}
          text={text}
        />
      ))}
      {isEmail && draft.html.trim() && <Source label="HTML" text={draft.html} />}
      {isEmail && shown.length === 0 && (
        <>
          <dt>{t("send.text")}</dt>
          <dd>{t("making.madeFromHtml")}</dd>
        </>
      )}
    </dl>
  );
}

function Source({ label, text }: { label: string; text: string }) {
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
