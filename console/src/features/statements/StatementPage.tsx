import { Anchor, Badge, Breadcrumbs, Button, Code, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { Link, useParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { NotFound } from "../../frame/ui/page/NotFound";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SignedButtons } from "../../frame/ui/SignedButtons";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import type { OneStatementQuery } from "../../gql/graphql";
import { OneStatement } from "./documents";
import { csvUrl, factsOf, monthName } from "./model";
import { BalanceRows, Tables } from "./Tables";

/** A statement changes no more, but the link to its page is valid for a minute at least. */
const LINK_MS = 30_000;

/** The statement of an account and a month. */
export default function StatementPage() {
  const { uuid = "", month = "" } = useParams();
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneStatement, { id: uuid, month });
  useVisibleInterval(reload, LINK_MS);
  usePageTitle(t("statements.title"));
  const signed = data?.accountStatement;
  if (signed && data.account) return <Signed signed={signed} account={data.account} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (problem && !["account_not_found", "bad_id", "no_statement", "validation_failed"].includes(problem.code))
    return <ProblemNotice problem={problem} onRetry={reload} />;
  return <NotFound text={t("statements.notFound")} />;
}

interface Props {
  signed: NonNullable<OneStatementQuery["accountStatement"]>;
  account: NonNullable<OneStatementQuery["account"]>;
}

function Signed({ signed, account }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = factsOf(signed.document);
  const isFree = useBilling() === "off";
  const balanced = signed.state === "balanced";
  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to={`/accounts/${account.uuid}`} size="sm">
          {account.name}
        </Anchor>
        <Anchor component={Link} to={`/accounts/${account.uuid}/statements`} size="sm">
          {t("statements.title")}
        </Anchor>
      </Breadcrumbs>
      <PageHead
        title={monthName(signed.month, format.language)}
        note={
          <Badge color={balanced ? "teal" : "red"} variant="light" radius="sm" size="sm" tt="none" fw={500}>
            {t(`statements.states.${signed.state}`)}
          </Badge>
        }
        about={t("statements.made", { number: signed.number, time: format.time(signed.madeAt) })}
      >
        <Button
          component="a"
          href={csvUrl(signed.pageUrl)}
          variant="default"
          leftSection={<IconTableExport size={14} />}
        >
          {t("statements.csv")}
        </Button>
        <SignedButtons
          signed={signed}
          name={`statement-${account.uuid}-${signed.month}`}
          texts="statements"
        />
      </PageHead>
      {facts.differences.map((each) => (
        <Text key={each.counted} size="sm" c="red">
          {t("statements.difference", {
            counted: format.exactMoney(each.counted, facts.currency),
            recorded: format.exactMoney(each.recorded, facts.currency),
          })}
        </Text>
      ))}
      <Paper p="sm">
        <Title order={2} mb="xs">
          {t(isFree ? "statements.messages" : "statements.balance")}
        </Title>
        <BalanceRows facts={facts} />
      </Paper>
      <Tables facts={facts} />
      <Text size="xs" c="dimmed">
        {t("statements.verify")} <Code>{`postern verify FILE --fingerprint ${signed.keyId}`}</Code>
      </Text>
    </Stack>
  );
}
