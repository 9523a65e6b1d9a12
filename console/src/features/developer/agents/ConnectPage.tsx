import "../styles";
import { Alert, Button, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { nameOf } from "../../../frame/rights";
import { useViewer } from "../../../frame/session";
import { ApprovalAboveField } from "../../../frame/scopes/ApprovalAboveField";
import { Permissions } from "../../../frame/scopes/documents";
import { ScopeList } from "../../../frame/scopes/ScopeList";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Waiting } from "../../../frame/ui/page/Waiting";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import type { AgentRequest, ReviewAgentQuery } from "../../../gql/graphql";
import { LetAgentIn, ReviewAgent } from "./documents";
import { requestOf } from "./request";

type Review = NonNullable<ReviewAgentQuery["agentReview"]>;

const FIELDS = ["scopes", "approvalAbove", "days"] as const;
const DAYS = ["30", "90", "365", "never"] as const;
/** Recipients of a day that an agent may reach by itself, unless the person says otherwise. */
const FEW = 50;

/** A person decides here whether an agent may act for them, and how far. */
export default function ConnectPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const input = useMemo(() => requestOf(params), [params]);
  const { data, problem, reload } = useLoaded(ReviewAgent, { input });
  usePageTitle(t("agents.title"));
  return (
    <Stack gap="md" maw={720}>
      <PageHead title={t("agents.title")} about={t("agents.about")} />
      {problem ? (
        <ProblemNotice problem={problem} onRetry={reload} />
      ) : data?.agentReview ? (
        <Consent input={input} review={data.agentReview} />
      ) : (
        <Waiting />
      )}
    </Stack>
  );
}

function Consent({ input, review }: { input: AgentRequest; review: Review }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data: rights } = useLoaded(Permissions, {});
  const { membership, email } = useViewer();
  const [scopes, setScopes] = useState<string[]>(review.scopes);
  const [approvalAbove, setApprovalAbove] = useState<number | null>(FEW);
  const [life, setLife] = useState<string>("90");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function allow() {
    setBusy(true);
    setProblem(null);
    const days = life === "never" ? null : Number(life);
    const { data, error } = await client
      .mutation(LetAgentIn, { input: { ...input, scopes, approvalAbove, days } })
      .toPromise();
    if (data?.allowAgent) window.location.assign(data.allowAgent.redirectUrl);
    else {
      setBusy(false);
      if (error) setProblem(problemOf(error));
    }
  }

  const noticed = elsewhere(problem, FIELDS);
  return (
    <Paper p="md" maw={720}>
      <Stack gap="md">
        <Text fw={600} size="lg" style={{ overflowWrap: "anywhere" }}>
          {t("agents.asks", { name: review.clientName })}
        </Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {t("agents.actsFor", { owner: membership ? nameOf(membership) : email })}
        </Text>
        <Text size="sm" c="dimmed">
          {review.clientHost ? t("agents.vouched", { host: review.clientHost }) : t("agents.unvouched")}{" "}
          {review.local ? t("agents.local") : t("agents.remote", { host: review.redirectHost })}
        </Text>
        {!review.clientHost && !review.local && (
          <Alert color="orange" role="note">
            {t("agents.careful", { host: review.redirectHost })}
          </Alert>
        )}
        {rights?.permissions && (
          <ScopeList
            permissions={rights.permissions.filter(({ name }) => review.available.includes(name))}
            value={scopes}
            error={problem?.fields.scopes}
            onChange={setScopes}
          />
        )}
        <ApprovalAboveField
          value={approvalAbove}
          error={problem?.fields.approvalAbove}
          onChange={setApprovalAbove}
        />
        <Select
          label={t("tokens.life")}
          allowDeselect={false}
          value={life}
          error={problem?.fields.days}
          onChange={(value) => setLife(value ?? "90")}
          data={DAYS.map((value) => ({ value, label: t(`tokens.lives.${value}`) }))}
        />
        <Text size="sm" c="dimmed">
          {t("agents.endsHow")}
        </Text>
        {noticed && <ProblemNotice problem={noticed} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => window.location.assign(review.denyUrl)}>
            {t("agents.refuse")}
          </Button>
          <Button
            loading={busy}
            disabled={scopes.length === 0}
            title={scopes.length === 0 ? t("agents.noScopes") : undefined}
            onClick={() => void allow()}
          >
            {t("agents.allow")}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
