import { Alert, Anchor, Breadcrumbs, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import "../styles";
import { Link, useLocation, useParams } from "react-router";
import { useClient } from "urql";
import { actFor } from "../../../frame/api/owner";
import { useLoaded } from "../../../frame/api/useLoaded";
import { nameOf } from "../../../frame/rights";
import { useViewer } from "../../../frame/session";
import { useTranslation } from "../../../frame/i18n";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { countAgain } from "../../../frame/waitingPlans";
import { ApprovalBadge } from "./ApprovalBadge";
import classes from "./approvals.module.css";
import { ApprovalState, ReviewedApproval } from "./documents";
import { documentOf, type Review } from "./plan";
import { Decision } from "./review/Decision";
import { Differences } from "./review/Differences";
import { Facts, Figures } from "./review/Facts";
import { Messages } from "./review/Messages";
import { Outcome } from "./review/Outcome";

const POLL_MS = 10_000;

/** A plan that waits for a decision: a person approves exactly what will be sent. */
export default function ApprovalPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data, problem, loading, reload } = useLoaded(ReviewedApproval, { id: uuid });
  const review = data?.approvalReview;
  const name = review?.approval.sendingProject?.name ?? "";
  usePageTitle(review ? t("approvals.pageTitle", { number: review.plan.number, name }) : t("nav.approvals"));

  function changed() {
    reload();
    countAgain();
  }
  // Only a decision or a change makes another page of it, and the messages are not rendered for less.
  useVisibleInterval(() => {
    void client
      .query(ApprovalState, { id: uuid }, { requestPolicy: "network-only" })
      .toPromise()
      .then(({ data: now }) => {
        const before = review?.approval;
        const after = now?.approval;
        if (after && (after.state !== before?.state || after.decidedAt !== before.decidedAt)) changed();
      });
  }, POLL_MS);

  if (!review) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || problem.code === "approval_not_found" || problem.code === "bad_id") return <Elsewhere />;
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return <Shown review={review} onChanged={changed} />;
}

function Shown({ review, onChanged }: { review: Review; onChanged: () => void }) {
  const { t } = useTranslation();
  const { approval, plan, isCurrent } = review;
  const { sendingProject, state } = approval;
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/approvals" size="sm">
          {t("nav.approvals")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {sendingProject?.name}
        </Text>
      </Breadcrumbs>
      <PageHead
        title={t("approvals.pageTitle", { number: plan.number, name: sendingProject?.name ?? "" })}
        note={<ApprovalBadge state={state} />}
      />
      <Outcome approval={approval} />
      {!isCurrent && state === "asked" && (
        <Alert color="orange" role="alert" title={t("approvals.notCurrentTitle")}>
          {t("approvals.notCurrent")}
        </Alert>
      )}
      <Figures review={review} />
      <div className={classes.columns}>
        <Stack gap="sm">
          <Changes review={review} />
          <Messages review={review} />
        </Stack>
        <Stack gap="sm" className={classes.aside}>
          <Facts review={review} />
          <Decision review={review} onChanged={onChanged} />
        </Stack>
      </div>
    </Stack>
  );
}

/** The differences to the plan that was approved before, if there is one. */
function Changes({ review }: { review: Review }) {
  const { t } = useTranslation();
  const { since, differences, plan } = review;
  return (
    <Paper p="sm">
      <Title order={2} mb={4}>
        {t("approvals.differences")}
      </Title>
      <Text
        size="sm"
        c={since && differences.length > 0 ? "dimmed" : undefined}
        mb={differences.length && "sm"}
      >
        {!since
          ? t("approvals.first")
          : t(differences.length > 0 ? "approvals.since" : "approvals.same", { number: since.number })}
      </Text>
      {since && (
        <Differences differences={differences} currency={documentOf(plan).limits.currency} order={3} />
      )}
    </Paper>
  );
}

/** Whoever follows the link of a mail may act for another owner in this tab, or for nobody. */
function Elsewhere() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { memberships, membership, uuid: person, email } = useViewer();
  const others = memberships.filter(({ ownerUuid }) => ownerUuid !== membership?.ownerUuid);
  if (others.length === 0 && !membership) return <NotFound text={t("approvals.notFound")} />;
  return (
    <Stack gap="sm">
      <PageHead title={t("approvals.elsewhere")} about={t("approvals.elsewhereText")} />
      <Group gap="xs">
        {others.map((other) => (
          <Button
            key={other.uuid}
            variant="default"
            onClick={() =>
              actFor({ owner: other.ownerUuid, name: nameOf(other), person, email }, `/console${pathname}`)
            }
          >
            {t("profile.actFor", { name: nameOf(other) })}
          </Button>
        ))}
        {membership && (
          <Button variant="default" onClick={() => actFor(null, `/console${pathname}`)}>
            {t("acting.back")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
