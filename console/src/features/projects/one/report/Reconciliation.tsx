import { Badge, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { SignedButtons } from "../../../../frame/ui/SignedButtons";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import { useFormat } from "../../../../frame/values/format";
import type { ProjectReconciliationQuery } from "../../../../gql/graphql";
import classes from "../../projects.module.css";
import { ProjectReconciliation } from "./documents";
import type { Project } from "../model";
import { factsOf } from "./reconciliation";

const POLL_MS = 10_000;
/** A settled one changes no more, but the link to its page is valid for a minute at least. */
const LINK_MS = 30_000;

type Signed = NonNullable<ProjectReconciliationQuery["sendingProjectReconciliation"]>;

/** The signed account of the project: whether its numbers add up, and the file that others can check. */
export function Reconciliation({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(ProjectReconciliation, { id: project.uuid });
  const signed = data?.sendingProjectReconciliation;
  const waits = !signed && problem?.code === "not_reconciled";
  useVisibleInterval(reload, signed?.settled ? LINK_MS : POLL_MS);
  return (
    <Paper p="sm" className={classes.reconciliation}>
      <Title order={2} mb="xs">
        {t("reconciliation.title")}
      </Title>
      {signed && <Shown signed={signed} project={project} />}
      {waits && (
        <Text size="sm" c="dimmed">
          {t("reconciliation.none")}
        </Text>
      )}
      {problem && !waits && <ProblemNotice problem={problem} onRetry={reload} />}
    </Paper>
  );
}

function Shown({ signed, project }: { signed: Signed; project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = factsOf(signed.document);
  const balanced = signed.state === "balanced";
  const number = (key: keyof typeof facts.counts) => format.number(facts.counts[key]);
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Badge color={balanced ? "green" : "red"} variant="light">
          {t(balanced ? "reconciliation.balanced" : "reconciliation.open")}
        </Badge>
        <Text size="sm" c="dimmed">
          {t("reconciliation.made", { number: signed.number, time: format.time(signed.madeAt) })}{" "}
          {!signed.settled && t("reconciliation.waiting")}
        </Text>
      </Group>
      <Text size="sm">
        {t("reconciliation.equation", {
          all: number("materialised"),
          sent: number("sent"),
          skipped: number("skipped"),
          failed: number("failed"),
          unknown: number("unknown"),
          canceled: number("canceled"),
        })}
      </Text>
      <Text size="sm">
        {t("reconciliation.money", {
          charged: format.money(facts.charged, facts.currency),
          refunded: format.money(facts.refunded, facts.currency),
          prices: format.money(facts.prices, facts.currency),
        })}
      </Text>
      {facts.differences.map((each) => (
        <Text key={each.what} size="sm" c="red">
          {t("reconciliation.difference", each)}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {t("reconciliation.root")} <Code>{signed.root}</Code>
      </Text>
      <Group gap="xs" className={classes.onScreen}>
        <SignedButtons
          signed={signed}
          name={`reconciliation-${project.uuid}-${signed.number}`}
          texts="reconciliation"
          size="compact-sm"
        />
      </Group>
      <Text size="xs" c="dimmed" className={classes.onScreen}>
        {t("reconciliation.verify")} <Code>{`postern verify FILE --fingerprint ${signed.keyId}`}</Code>{" "}
        {t("reconciliation.more")} <Code>{`GET /sending-project/${project.uuid}/reconciliation/lines`}</Code>,{" "}
        <Code>…/proof?address=</Code>
      </Text>
    </Stack>
  );
}
