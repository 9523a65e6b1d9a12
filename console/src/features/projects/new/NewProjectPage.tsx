import "../styles";
import { Alert, Anchor, Breadcrumbs, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { useLayoutEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { CHANNELS } from "../list/search";
import { isEditable } from "../states";
import { AudienceStep } from "./recipients/AudienceStep";
import { CheckStep } from "./plan/CheckStep";
import { FollowedProject, ProjectChoices } from "./documents";
import { STEPS, stepOf, type Edits, type StepName } from "./draft";
import { followUpOf, refusedState, type Followed } from "./follow";
import { wasAdded } from "./recipients/ImportResult";
import { hasPasted } from "./recipients/PasteList";
import { ScheduleStep } from "./schedule/ScheduleStep";
import { Steps } from "./Steps";
import { TextStep } from "./text/TextStep";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { useDraft, type Saving } from "./useDraft";

/** Makes a project in four steps. Each has an address, and what is done in it is kept by the server. */
export default function NewProjectPage() {
  const [params] = useSearchParams();
  const uuid = params.get("project");
  const [made, setMade] = useState<string | null>(null);
  const [shown, setShown] = useState({ uuid, key: 0 });
  // A project that this page creates goes on where it began; every other one begins anew. The address changes later than
  // the state, because the router changes it in a transition.
  if (shown.uuid !== uuid) {
    const goesOn = shown.uuid === null && uuid === made;
    setShown({ uuid, key: goesOn ? shown.key : shown.key + 1 });
    setMade(null);
  }
  // A follow-up begins with what the other project has, so that is read first.
  const follow = uuid === null ? params.get("follow") : null;
  const { data, problem, loading, reload } = useLoaded(
    FollowedProject,
    { id: follow ?? "" },
    follow === null,
  );
  const followed = follow === null ? null : (data?.sendingProject ?? null);
  if (follow !== null && !followed) {
    return loading ? <Waiting /> : <Missing problem={problem} onRetry={reload} />;
  }
  return <Making key={shown.key} uuid={uuid} followed={followed} onCreated={setMade} />;
}

interface MakingProps {
  uuid: string | null;
  /** the project that a new one follows */
  followed: Followed | null;
  onCreated: (uuid: string) => void;
}

function Making({ uuid, followed, onCreated }: MakingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const choices = useLoaded(ProjectChoices, { messengers: useViewer().may("messengers:read") });
  const suggested = followed
    ? followUpOf(followed, t("following.nameOf", { name: followed.name }))
    : { name: t("making.defaultName", { day: format.day(new Date()) }), ...topicIn(params) };
  const state = useDraft(uuid, suggested, (made) => {
    onCreated(made);
    change({ project: made, follow: null }, true);
  });
  const { draft, project, save, saving, problem } = state;
  const step = stepOf(params.get("step"));
  usePageTitle(uuid ? draft.name : t("projects.new"));

  const go = (next: StepName) => change({ step: next });
  const index = STEPS.indexOf(step);
  // The next step begins at its top, however far down the button was.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, [step]);
  // A step shows what is wrong with a text, or with what a project follows, beside it.
  const atItsField =
    (step === "text" && ["from", "subject", "text", "html"].some((name) => problem?.fields[name])) ||
    (step === "audience" && refusedState(draft, problem) !== undefined);

  const [leaving, setLeaving] = useState(false);
  // Whoever comes from a segment has chosen it, and advertising needs a topic beside it.
  const lacksTopic =
    step === "audience" &&
    params.has("segment") &&
    draft.category === "promotional" &&
    !draft.audience &&
    (project?.recipients?.totalCount ?? 0) === 0;
  const [refused, setRefused] = useState(false);

  function next() {
    // A list that is pasted or uploaded is not added by itself, and going on would look as if it were.
    const list = params.get("list");
    const shown = list ? !wasAdded(list) : params.has("file") || hasPasted();
    if (lacksTopic) setRefused(true);
    else if (step === "audience" && shown && !draft.audience) setLeaving(true);
    else void goOn();
  }

  async function goOn() {
    setLeaving(false);
    const next = STEPS[index + 1];
    // Looking around makes no draft: the project is kept in this tab until it has more than a name.
    const saved = !state.worthADraft || (await save());
    // A new project gets its address first; the step follows it.
    if (saved && next) go(next);
  }

  if (uuid && !project && !state.own) {
    return state.loading ? <Waiting /> : <Missing problem={state.missing} onRetry={state.reload} />;
  }
  if (project && !isEditable(project.status)) {
    return (
      <Alert color="blue" title={t("making.started")}>
        <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm">
          {t("making.toProject")}
        </Anchor>
      </Alert>
    );
  }
  return (
    <Stack gap="sm">
      <Confirm
        opened={leaving}
        title={t("making.notAdded")}
        question={t("making.notAddedText")}
        action={t("making.goOnWithout")}
        problem={null}
        onConfirm={goOn}
        onClose={() => setLeaving(false)}
      />
      <Breadcrumbs>
        <Anchor component={Link} to="/projects" size="sm">
          {t("projects.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t(uuid ? "making.draft" : "projects.new")}
        </Text>
      </Breadcrumbs>
      <PageHead title={draft.name || t("projects.new")} note={uuid && <SavingMark saving={saving} />} />
      <Steps current={step} state={state} onStep={go} />
      {step === "audience" && <AudienceStep state={state} choices={choices.data} />}
      {step === "text" && <TextStep state={state} choices={choices.data} />}
      {step === "schedule" && <ScheduleStep state={state} choices={choices.data} />}
      {step === "check" && <CheckStep state={state} choices={choices.data} onStep={go} />}
      {problem && !atItsField && <ProblemNotice problem={problem} onRetry={() => void save()} />}
      {choices.problem && <ProblemNotice problem={choices.problem} onRetry={choices.reload} />}
      {refused && lacksTopic && (
        <Alert color="orange" role="alert">
          {t("audience.needTopic")}
        </Alert>
      )}
      {step !== "check" && (
        <Group justify="space-between">
          {index > 0 ? (
            <Button variant="default" onClick={() => go(STEPS[index - 1] ?? "audience")}>
              {t("making.back")}
            </Button>
          ) : (
            <span />
          )}
          <Button
            // While a list is looked at, its own button comes first.
            variant={params.has("file") || params.has("list") ? "default" : "filled"}
            onClick={next}
            loading={saving === "saving"}
          >
            {t("making.next", { step: t(`making.steps.${STEPS[index + 1] ?? "check"}`) })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Returns what a link of a topic's page, or of an import, chooses: the topics, whose category the project has. */
function topicIn(params: URLSearchParams): Edits {
  const topic = params.get("topic");
  if (!topic) return {};
  const category = params.get("category") === "transactional" ? "transactional" : "promotional";
  const channel = CHANNELS.find((one) => one === params.get("channel"));
  const segment = params.get("segment");
  const audience = { topicUuids: topic.split(","), ...(segment && { segmentUuids: [segment] }) };
  return { category, audience, ...(channel && { channel }) };
}

function Waiting() {
  const { t } = useTranslation();
  return <Loader size="sm" aria-label={t("common.loading")} />;
}

function Missing({ problem, onRetry }: { problem: Problem | null; onRetry: () => void }) {
  const { t } = useTranslation();
  if (problem && problem.code !== "sending_project_not_found") {
    return <ProblemNotice problem={problem} onRetry={onRetry} />;
  }
  return <NotFound text={t("project.notFound")} />;
}

function SavingMark({ saving }: { saving: Saving }) {
  const { t } = useTranslation();
  return (
    <Text size="xs" c={saving === "refused" ? "red" : "dimmed"} role="status">
      {t(`making.saving.${saving}`)}
    </Text>
  );
}
