import { Button, Paper, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Empty } from "../../../frame/ui/page/Empty";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import type { ApprovalState } from "../../../gql/graphql";
import { ApprovalTable } from "./ApprovalTable";
import { ApprovalRows } from "./documents";

const PAGE = 50;
const POLL_MS = 20_000;
const DECIDED: ApprovalState[] = ["approved", "refused", "withdrawn", "void"];

function useApprovals(states: ApprovalState[]) {
  return usePagedQuery(
    `approvals?${states.join(",")}`,
    ApprovalRows,
    (after) => ({ first: PAGE, after, where: { state: { in: states } } }),
    (data) => data.approvals,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}

/** The plans that wait for a decision, and below them those that were decided. */
export default function ApprovalsPage() {
  const { t } = useTranslation();
  const { may, membership } = useViewer();
  const asked = useApprovals(["asked"]);
  const decided = useApprovals(DECIDED);
  usePageTitle(t("nav.approvals"));
  const problem = asked.state.problem ?? decided.state.problem;
  const retry = () => {
    void asked.list.retry();
    void decided.list.retry();
  };
  const isEmpty = [asked, decided].every(({ state }) => state.complete && state.rows.length === 0);
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.approvals")} about={t("approvals.about")}>
        {membership === null && may("members:write") && (
          <Button component={Link} to="/members?rule=1" variant="default">
            {t("approvals.rule")}
          </Button>
        )}
      </PageHead>
      {problem && <ProblemNotice problem={problem} onRetry={retry} />}
      {isEmpty ? (
        <Paper>
          <Empty text={t("approvals.empty")} hint={t("approvals.emptyHint")} />
        </Paper>
      ) : (
        <>
          <section aria-labelledby="asked">
            <Title order={2} mb={6} id="asked">
              {t("approvals.waiting")}
            </Title>
            <ApprovalTable
              label={t("approvals.waiting")}
              state={asked.state}
              empty={t("approvals.noneWaits")}
            />
            <LoadMore label={t("approvals.more")} list={asked.list} state={asked.state} />
          </section>
          {decided.state.rows.length > 0 && (
            <section aria-labelledby="decided">
              <Title order={2} mb={6} id="decided">
                {t("approvals.earlier")}
              </Title>
              <ApprovalTable label={t("approvals.earlier")} state={decided.state} empty="" />
              <LoadMore label={t("approvals.more")} list={decided.list} state={decided.state} />
            </section>
          )}
        </>
      )}
    </Stack>
  );
}
