import { Alert, Anchor, Breadcrumbs, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconKey, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { UserLink } from "../../frame/ui/UserLink";
import { Question } from "../../frame/ui/dialogs/Question";
import { NotFound } from "../../frame/ui/page/NotFound";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { Time } from "../../frame/ui/Time";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import type { OneDomainQuery } from "../../gql/graphql";
import { DeleteDomain, DomainFindings, OneDomain, RotateDomainKey, VerifyDomain } from "./documents";
import { DomainBadge, RecordBadge } from "./DomainBadge";
import classes from "../../frame/list/table.module.css";
import { Findings } from "./Findings";
import { RecordLines } from "./RecordLines";

const POLL_MS = 30_000;
const GRACE_MS = 7 * 86_400_000;
const COLORS = { pending: "blue", lost: "orange", expired: "red" } as const;

type Domain = NonNullable<OneDomainQuery["domain"]>;

export default function DomainPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { isAdmin: admin } = useViewer();
  const { data, problem, loading, reload } = useLoaded(OneDomain, { id: uuid, admin });
  useVisibleInterval(reload, POLL_MS);
  usePageTitle(data?.domain?.name ?? t("nav.domains"));
  if (data?.domain) return <Shown domain={data.domain} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "domain_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("domains.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

/** A domain: whether emails may be sent from it, the records to set, and what the DNS says. */
function Shown({ domain, reload }: { domain: Domain; reload: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const { may } = useViewer();
  const notice = useNotice();
  const findings = useLoaded(DomainFindings, { id: domain.uuid });
  const [asking, setAsking] = useState<"rotate" | "delete" | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { uuid, name, status, owner, checkedAt, records } = domain;

  async function check() {
    setBusy(true);
    setProblem(null);
    notice.dismiss();
    const { data, error } = await client.mutation(VerifyDomain, { id: uuid }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    if (data?.verifyDomain?.status === "verified") notice.show(t("domains.checkedVerified", { name }));
    reload();
    findings.reload();
  }

  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/domains" size="sm">
          {t("nav.domains")}
        </Anchor>
        {owner && <UserLink user={owner} />}
      </Breadcrumbs>
      <PageHead title={name} note={<DomainBadge status={status} />}>
        {may("senders:write") && (
          <>
            <Button
              variant="default"
              leftSection={<IconTrash size={14} />}
              onClick={() => setAsking("delete")}
            >
              {t("domains.delete")}
            </Button>
            <Button variant="default" leftSection={<IconKey size={14} />} onClick={() => setAsking("rotate")}>
              {t("domains.rotate")}
            </Button>
            <Button leftSection={<IconRefresh size={14} />} loading={busy} onClick={() => void check()}>
              {t("domains.check")}
            </Button>
          </>
        )}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} />}
      <State domain={domain} />
      <Paper p="sm">
        <Title order={2}>{t("domains.records")}</Title>
        <Text size="xs" c="dimmed">
          {t("domains.recordsHint")}
        </Text>
        <Stack gap="md" mt="sm">
          {records.map((record) => (
            <section key={record.name} aria-label={t(`domains.purposes.${record.purpose}`)}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {t(`domains.purposes.${record.purpose}`)}
                </Text>
                <RecordBadge state={record.state} />
              </Group>
              <Text size="xs" c="dimmed">
                {t(`domains.recordHints.${record.state}`)}
              </Text>
              <RecordLines name={record.name} type={record.type} value={record.value} />
            </section>
          ))}
        </Stack>
      </Paper>
      <Paper p="sm">
        <Group justify="space-between">
          <Title order={2}>{t("domains.findings")}</Title>
          <Text size="xs" c="dimmed">
            {t("domains.checked")}: {checkedAt ? <Time value={checkedAt} /> : t("domains.never")}
          </Text>
        </Group>
        {findings.problem && <ProblemNotice problem={findings.problem} onRetry={findings.reload} />}
        {findings.data?.domainFindings ? (
          <Findings findings={findings.data.domainFindings} />
        ) : (
          findings.loading && <Loader size="sm" aria-label={t("common.loading")} />
        )}
      </Paper>
      {asking === "rotate" && (
        <Question
          title={t("domains.rotateTitle", { name })}
          question={t("domains.rotateText")}
          action={t("domains.rotate")}
          mutation={RotateDomainKey}
          variables={{ id: uuid }}
          onDone={() => {
            setAsking(null);
            notice.show(t("domains.rotated"));
            reload();
            findings.reload();
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "delete" && (
        <Question
          title={t("domains.deleteTitle", { name })}
          question={t("domains.deleteText")}
          action={t("domains.delete")}
          mutation={DeleteDomain}
          variables={{ id: uuid }}
          onDone={() => void navigate("/domains", { replace: true })}
          onClose={() => setAsking(null)}
        />
      )}
    </Stack>
  );
}

/** What the owner has to do, if anything. */
function State({ domain }: { domain: Domain }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status, problem, lostAt, records } = domain;
  if (status === "verified") {
    const unsigned = !records.some(({ purpose, state }) => purpose === "dkim" && state === "active");
    return unsigned ? <Alert color="blue">{t("domains.unsigned")}</Alert> : null;
  }
  const until = lostAt ? format.fullTime(new Date(Date.parse(lostAt) + GRACE_MS).toISOString()) : "";
  return (
    <Alert className={classes.anywhere} color={COLORS[status]} title={t(`domains.next.${status}`, { until })}>
      {problem}
    </Alert>
  );
}
