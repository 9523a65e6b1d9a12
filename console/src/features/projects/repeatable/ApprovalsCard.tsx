import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { useFormat } from "../../../frame/values/format";
import { ApprovalBadge } from "../approvals/ApprovalBadge";
import { RuleText } from "../approvals/start/PlanCard";
import { asks } from "../approvals/start/useProjectPlan";
import { RunApprovals } from "./documents";

const POLL_MS = 20_000;

interface Props {
  uuid: string;
  template: { channel: string; category: string };
}

/** The approvals of its runs: one holds for the runs that follow with the same content. */
export function ApprovalsCard({ uuid, template }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, problem, reload } = useLoaded(RunApprovals, { id: uuid });
  useVisibleInterval(reload, POLL_MS);
  const rows = data?.approvals?.nodes ?? [];
  const rule = data?.approvalRule;
  const asking = rule && asks(rule, template) ? rule : null;
  if (!problem && !asking && rows.length === 0) return null;
  const valid = rows.find(
    ({ state, expiresAt }) => state === "approved" && Date.parse(expiresAt) > Date.now(),
  );
  return (
    <Paper p="sm">
      <Stack gap="xs">
        <Title order={2}>{t("repeatable.approvals.title")}</Title>
        <RuleText rule={asking} />
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        {valid ? (
          <Text size="sm">
            {t("repeatable.approvals.holds", {
              number: valid.plan?.number ?? "–",
              time: format.time(valid.expiresAt),
            })}
          </Text>
        ) : (
          data && <Text size="sm">{t("repeatable.approvals.none")}</Text>
        )}
        {rows.map((row) => (
          <Group key={row.uuid} gap="xs">
            <ApprovalBadge state={row.state} />
            <Anchor component={Link} to={`/approvals/${row.uuid}`} size="sm">
              {t("approvals.rowTitle", {
                name: row.sendingProject?.name ?? "–",
                number: row.plan?.number ?? "–",
              })}
            </Anchor>
            <Text size="xs" c="dimmed">
              <Time value={row.decidedAt ?? row.askedAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
