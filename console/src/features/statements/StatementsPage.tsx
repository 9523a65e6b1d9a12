import "@mantine/core/styles/Checkbox.css";
import { Anchor, Badge, Breadcrumbs, Checkbox, Loader, Paper, Stack } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling, usePageNames } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import table from "../../frame/ui/figures/table.module.css";
import { Empty } from "../../frame/ui/page/Empty";
import { NotFound } from "../../frame/ui/page/NotFound";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useFormat } from "../../frame/values/format";
import type { StatementListQuery } from "../../gql/graphql";
import { MailStatements, StatementList } from "./documents";
import { MAIL_SETTING, monthName } from "./model";
import classes from "./statements.module.css";

/** The statements of an account, the newest first. */
export default function StatementsPage() {
  const { uuid = "" } = useParams();
  const { t } = useTranslation();
  const nameOf = usePageNames();
  const viewer = useViewer();
  const { data, problem, loading, reload } = useLoaded(StatementList, {
    id: uuid,
    settings: viewer.may("settings:read"),
  });
  const account = data?.account;
  usePageTitle(t("statements.title"));
  if (!account) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (problem && !["account_not_found", "bad_id"].includes(problem.code))
      return <ProblemNotice problem={problem} onRetry={reload} />;
    return <NotFound text={t("statements.notFound")} />;
  }
  const statements = data.accountStatements ?? [];
  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to="/accounts" size="sm">
          {nameOf("nav.accounts")}
        </Anchor>
        <Anchor component={Link} to={`/accounts/${account.uuid}`} size="sm">
          {account.name}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={t("statements.title")} about={t("statements.about")} />
      {viewer.may("settings:write") && data.settings != null && (
        <MailChoice account={account.uuid} stored={data.settings} onDone={reload} />
      )}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {statements.length > 0 ? (
        <Rows account={account.uuid} statements={statements} />
      ) : (
        <Empty text={t("statements.none")} />
      )}
    </Stack>
  );
}

type Statements = NonNullable<StatementListQuery["accountStatements"]>;

function Rows({ account, statements }: { account: string; statements: Statements }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  return (
    <Paper p="sm">
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t("statements.columns.month")}</th>
            {!isFree && (
              <>
                <th scope="col" className={table.number}>
                  {t("statements.columns.opening")}
                </th>
                <th scope="col" className={table.number}>
                  {t("statements.columns.closing")}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {statements.map((each) => (
            <tr key={each.month}>
              <th scope="row">
                <Anchor component={Link} to={`/accounts/${account}/statements/${each.month}`} size="sm">
                  {monthName(each.month, format.language)}
                </Anchor>{" "}
                {each.state === "open" && (
                  <Badge color="red" variant="light" radius="sm" size="sm" tt="none" fw={500}>
                    {t("statements.states.open")}
                  </Badge>
                )}
              </th>
              {!isFree && (
                <>
                  <td className={table.number}>
                    {format.exactMoney(Number(each.openingBalance), each.currency)}
                  </td>
                  <td className={table.number}>
                    {format.exactMoney(Number(each.closingBalance), each.currency)}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

interface MailProps {
  account: string;
  stored: unknown;
  onDone: () => void;
}

/** Switches the mails of new statements on and off: a setting of the account. */
function MailChoice({ account, stored, onDone }: MailProps) {
  const { t } = useTranslation();
  const client = useClient();
  const before = (stored as Record<string, unknown>)[MAIL_SETTING] === true;
  const [checked, setChecked] = useState(before);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = async (value: boolean) => {
    setChecked(value);
    setProblem(null);
    const input = { key: MAIL_SETTING, value, scope: "account" as const, accountId: account };
    const { error } = await client.mutation(MailStatements, { input }).toPromise();
    if (error) {
      setChecked(!value);
      setProblem(problemOf(error));
    } else onDone();
  };
  return (
    <>
      <Checkbox
        checked={checked}
        label={t("statements.mail")}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
