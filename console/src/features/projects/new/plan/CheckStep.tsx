import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { Confirm } from "../../../../frame/ui/dialogs/Confirm";
import { SandboxNotice } from "../../../../frame/sandbox/SandboxNotice";
import { useSandbox } from "../../../../frame/sandbox/useSandbox";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { useContentKey } from "../../../../frame/api/ContentKey";
import { PlanCard } from "../../approvals/start/PlanCard";
import { PlanRefusal } from "../../approvals/start/PlanRefusal";
import { useProjectPlan } from "../../approvals/start/useProjectPlan";
import { StartProject } from "../../documents";
import { hasText, withUnsubscribe, type Draft, type StepName } from "../draft";
import classes from "../new.module.css";
import { MessageCard } from "./MessageCard";
import { PlanFigures } from "./PlanFigures";
import { RecentOverlap } from "../recent/RecentOverlap";
import { troublesOf, type Trouble } from "./troubles";
import type { DraftState } from "../useDraft";
import { useAbout } from "./useAbout";
import { useEmptyAudience } from "./useEmptyAudience";
import { usePlan } from "./usePlan";
import { useQuestion } from "./useQuestion";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
  onStep: (step: StepName) => void;
}

/** The last step: what will happen, what stands in the way, and the button that starts it. */
export function CheckStep({ state, choices, onStep }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const navigate = useNavigate();
  const keys = useContentKey();
  const { may } = useViewer();
  const { draft, project } = state;
  const planState = usePlan(state, choices);
  const plans = useProjectPlan(
    { uuid: project?.uuid ?? "", channel: draft.channel, category: draft.category },
    !project || state.saving !== "saved",
  );
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const sandbox = useSandbox(draft.channel);
  const isFree = useBilling() === "off";
  const { plan } = planState;
  const because = useEmptyAudience(draft, plan !== null && planState.total === 0);
  const later = draft.startAt !== null && Date.parse(draft.startAt) > planState.startsAt - 1;
  const follows = Boolean(draft.audience?.follows);
  const about = useAbout(plan?.exact ?? true, follows);
  const question = useQuestion({
    channel: draft.channel,
    plan,
    follows,
    later: later ? planState.startsAt : null,
  });
  if (planState.problem && !planState.loading)
    return <ProblemNotice problem={planState.problem} onRetry={planState.reload} />;
  if (state.problem) return <ProblemNotice problem={state.problem} />;
  if (!state.exists) return <NothingYet draft={draft} onStep={onStep} />;
  if (!project || !choices || !plan) return <Loader size="sm" aria-label={t("making.planning")} />;
  const troubles = troublesOf(draft, { ...planState, plan }, choices);
  const blocked = troubles.some(({ fatal }) => fatal);
  const { uuid } = project;

  const startText =
    plan.toSend === 0 || planState.loading
      ? t(later ? "making.schedule" : "making.start")
      : t(later ? "making.scheduleTo" : "making.sendTo", {
          count: plan.toSend,
          number: about(format.number(plan.toSend)),
        });

  async function start() {
    setProblem(null);
    if (!(await state.save())) return;
    const variables = { id: uuid, ...(plans.hash && { input: { planHash: plans.hash } }) };
    const result = await client.mutation(StartProject, variables, keys.of(variables)).toPromise();
    plans.reload();
    if (result.data?.startSendingProject) {
      keys.renew();
      await navigate(`/projects/${uuid}`);
    } else if (result.error) setProblem(problemOf(result.error));
  }

  return (
    <Stack gap="sm">
      <SandboxNotice channel={draft.channel} when="before" />
      {/* A plan that is being made again may have another price, so the old one is not shown. */}
      {planState.loading ? (
        <Loader size="sm" aria-label={t("making.planning")} />
      ) : (
        <>
          <PlanFigures plan={plan} of={planState} draft={draft} />
          <Troubles
            troubles={troubles}
            because={because}
            account={planState.account?.uuid ?? null}
            onStep={onStep}
            onUnsubscribe={() => state.set((now) => withUnsubscribe(now, t("making.unsubscribe")))}
          />
        </>
      )}
      <RecentOverlap state={state} />
      <MessageCard state={state} choices={choices} onStep={onStep} />
      {blocked && !planState.loading && <Alert color="orange">{t("making.blocked")}</Alert>}
      <PlanCard project={project} plans={plans} />
      {!may("projects:send") && (
        <Alert color="blue" role="note">
          {t("making.othersStart")}
        </Alert>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={() => onStep("schedule")}>
          {t("making.back")}
        </Button>
        {may("projects:send") ? (
          <Button size="sm" disabled={blocked || planState.loading} onClick={() => setAsking(true)}>
            {startText}
          </Button>
        ) : (
          <Button size="sm" component={Link} to={`/projects/${uuid}`}>
            {t("making.toProject")}
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking && !planState.loading}
        title={t(later ? "making.scheduleTitle" : "making.startTitle")}
        question={[
          question,
          sandbox
            ? t(isFree ? "sandbox.beforeFree" : "sandbox.before", { channel: t(`channels.${draft.channel}`) })
            : "",
          t("making.startStop"),
        ]
          .filter(Boolean)
          .join(" ")}
        action={t(later ? "making.schedule" : "making.start")}
        problem={null}
        onConfirm={start}
        onClose={() => {
          setAsking(false);
          setProblem(null);
        }}
      >
        {problem && <PlanRefusal problem={problem} />}
      </Confirm>
    </Stack>
  );
}

/** A project that has no recipients, so that there is nothing to plan. */
function NothingYet({ draft, onStep }: { draft: Draft; onStep: (step: StepName) => void }) {
  const { t } = useTranslation();
  const troubles: Trouble[] = [];
  // Whom a follow-up goes to is chosen already.
  if (!draft.audience?.follows) troubles.push({ kind: "noRecipients", fatal: true, step: "audience" });
  if (!hasText(draft)) troubles.push({ kind: "noText", fatal: true, step: "text" });
  return (
    <Stack gap="sm">
      <Troubles troubles={troubles} account={null} onStep={onStep} />
      <Group>
        <Button variant="default" onClick={() => onStep("schedule")}>
          {t("making.back")}
        </Button>
      </Group>
    </Stack>
  );
}

interface TroublesProps {
  troubles: readonly Trouble[];
  /** why topics and segments have nobody; "": it is not known */
  because?: string;
  /** the account that pays */
  account: string | null;
  onStep: (step: StepName) => void;
  /** puts a link to unsubscribe into the text; absent before there is a project */
  onUnsubscribe?: () => void;
}

function Troubles({ troubles, ...rest }: TroublesProps) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("making.before")}
      </Title>
      {troubles.length === 0 ? (
        <Group gap={6}>
          <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text size="sm">{t("making.ready")}</Text>
        </Group>
      ) : (
        <ul className={classes.plan}>
          {troubles.map((trouble) => (
            <TroubleRow key={trouble.kind} trouble={trouble} {...rest} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function TroubleRow({
  trouble,
  because = "",
  account,
  onStep,
  onUnsubscribe,
}: Omit<TroublesProps, "troubles"> & { trouble: Trouble }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, fatal, step, names, count } = trouble;
  const viewer = useViewer();
  const Icon = fatal ? IconExclamationCircle : IconAlertTriangle;
  const values = {
    names: (names ?? []).join(", "),
    count: count ?? 0,
    number: format.number(count ?? 0),
    of: format.number(trouble.of ?? 0),
  };
  return (
    <li>
      <Icon size={18} color={`var(--mantine-color-${fatal ? "red" : "yellow"}-6)`} aria-hidden />
      <Group gap={8} justify="space-between">
        <Text size="sm">
          {(kind === "noSubscribers" && because) || t(`making.troubles.${kind}`, values)}
          {kind === "tooDear" && !viewer.isAdmin && ` ${t("making.askForCredit")}`}
        </Text>
        {kind === "tooDear" && account && viewer.isAdmin && (
          <Button component={Link} to={`/accounts/${account}?credit=1`} variant="subtle" size="compact-xs">
            {t("making.credit")}
          </Button>
        )}
        <Group gap={6}>
          {kind === "noUnsubscribe" && onUnsubscribe && (
            <Button variant="default" size="compact-xs" onClick={onUnsubscribe}>
              {t("making.addUnsubscribe")}
            </Button>
          )}
          {step && (
            <Button variant="subtle" size="compact-xs" onClick={() => onStep(step)}>
              {t("making.correct", { step: t(`making.steps.${step}`) })}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
}
