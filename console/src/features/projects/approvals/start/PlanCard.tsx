import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconChecklist, IconFileCheck } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../../frame/api/ContentKey";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useBilling } from "../../../../frame/billing";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../../frame/ui/Time";
import { countAgain } from "../../../../frame/waitingPlans";
import { useFormat } from "../../../../frame/values/format";
import type { ProjectStatus } from "../../../../gql/graphql";
import classes from "../../projects.module.css";
import { ApprovalBadge } from "../ApprovalBadge";
import { MakeProjectPlan } from "../documents";
import { Hash } from "../Hash";
import { useChangedText } from "../useChangedText";
import { AskDialog } from "./AskDialog";
import { holds, type ProjectPlans } from "./useProjectPlan";

interface Props {
  project: { uuid: string; status: ProjectStatus };
  plans: ProjectPlans;
}

const PLANNED: readonly ProjectStatus[] = ["draft", "scheduled", "stopped"];

/** The newest plan of the project with its approval. Where nobody needs one it is a quiet link. */
export function PlanCard({ project, plans }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const [opened, setOpened] = useState(false);
  const { plan, rule, loaded } = plans;
  const writes = may("projects:write") && PLANNED.includes(project.status);
  if (!loaded || (!plan && !writes && !rule) || (!plan && !PLANNED.includes(project.status))) return null;
  if (!plan && !rule && !opened)
    return (
      <Group justify="flex-end" className={classes.onScreen}>
        <Anchor component="button" size="sm" onClick={() => setOpened(true)}>
          {t("approvals.quiet")}
        </Anchor>
      </Group>
    );
  return (
    <Paper p="sm" className={classes.onScreen}>
      <Stack gap="xs">
        <Title order={2}>{t("approvals.quiet")}</Title>
        <RuleText rule={rule} />
        {plan ? <Newest plans={plans} /> : <Text size="sm">{t("approvals.noPlan")}</Text>}
        {writes && <Acts project={project} plans={plans} />}
      </Stack>
    </Paper>
  );
}

/** Says that the owner's rule asks for a decision. */
export function RuleText({ rule }: { rule: ProjectPlans["rule"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  if (!rule) return null;
  const limits = [
    rule.aboveRecipients === null
      ? ""
      : t("approvals.aboveRecipients", {
          count: rule.aboveRecipients,
          number: format.number(rule.aboveRecipients),
        }),
    rule.aboveAmount === null || isFree
      ? ""
      : t("approvals.aboveAmount", { amount: format.number(rule.aboveAmount) }),
  ].filter(Boolean);
  return (
    <Text size="sm">
      {rule.mode === "always" || limits.length === 0
        ? t("approvals.ruleAlways")
        : t("approvals.ruleAbove", { limits: limits.join(` ${t("approvals.or")} `) })}
    </Text>
  );
}

function Newest({ plans: { plan, approval } }: { plans: ProjectPlans }) {
  const { t } = useTranslation();
  const format = useFormat();
  const changedText = useChangedText();
  if (!plan) return null;
  const isExpired = Date.parse(plan.expiresAt) <= Date.now();
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {t("approvals.plan", { number: plan.number })}
        </Text>
        <Hash value={plan.hash} />
        <Text size="xs" c="dimmed">
          <Time value={plan.createdAt} />
        </Text>
      </Group>
      {approval && (
        <Group gap="xs">
          <ApprovalBadge state={approval.state} />
          <Anchor component={Link} to={`/approvals/${approval.uuid}`} size="sm">
            {t("approvals.toApproval")}
          </Anchor>
          <Text size="xs" c="dimmed">
            {approval.state === "void"
              ? [changedText(approval.changed), approval.voidedByEmail].filter(Boolean).join(" · ")
              : approval.decidedByEmail}
          </Text>
        </Group>
      )}
      {approval?.state === "refused" && approval.note && (
        <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
          {approval.note}
        </Text>
      )}
      {!plan.isCurrent ? (
        <Alert color="orange">{t("approvals.outdated", { number: plan.number })}</Alert>
      ) : isExpired ? (
        <Alert color="orange">{t("approvals.expired", { number: plan.number })}</Alert>
      ) : (
        <Text size="xs" c="dimmed">
          {t("approvals.obeys", {
            number: plan.number,
            time: format.time(approval?.state === "approved" ? approval.expiresAt : plan.expiresAt),
          })}
        </Text>
      )}
    </>
  );
}

/** Makes a plan, and asks for its approval. */
function Acts({ project, plans }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { plan, approval, reload } = plans;
  const isOpen = plan !== null && holds(plan);
  const makes = !isOpen || approval?.state === "refused";
  const asks = isOpen && (approval === null || approval.state === "withdrawn");
  if (!makes && !asks) return null;

  async function make() {
    setBusy(true);
    setProblem(null);
    const { error } = await client
      .mutation(MakeProjectPlan, { id: project.uuid }, keys.of([project.uuid, plan?.number]))
      .toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else keys.renew();
    reload();
  }

  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Group gap="xs">
        {makes && (
          <Button
            variant="default"
            leftSection={<IconFileCheck size={14} />}
            loading={busy}
            onClick={() => void make()}
          >
            {t(plan ? "approvals.makeAnother" : "approvals.make")}
          </Button>
        )}
        {asks && (
          <Button variant="default" leftSection={<IconChecklist size={14} />} onClick={() => setAsking(true)}>
            {t("approvals.ask")}
          </Button>
        )}
      </Group>
      {asking && plan && (
        <AskDialog
          project={project.uuid}
          plan={plan}
          onClose={() => setAsking(false)}
          onAsked={() => {
            setAsking(false);
            countAgain();
            reload();
          }}
        />
      )}
    </>
  );
}
