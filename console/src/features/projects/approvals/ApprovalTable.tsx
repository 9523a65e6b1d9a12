import { Anchor, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { EmptyList } from "../../../frame/list/EmptyList";
import type { PagedState } from "../../../frame/list/PagedList";
import { useTranslation } from "../../../frame/i18n";
import { useNarrow } from "../../../frame/ui/useNarrow";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import type { ApprovalRowFragment } from "../../../gql/graphql";
import { ApprovalBadge } from "./ApprovalBadge";
import classes from "../../../frame/list/table.module.css";
import { useChangedText } from "./useChangedText";

interface Props {
  label: string;
  state: PagedState<ApprovalRowFragment>;
  empty: string;
}

export function ApprovalTable({ label, state, empty }: Props) {
  const { t } = useTranslation();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        layout="fixed"
        aria-label={label}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("approvals.project")}</Table.Th>
            <Table.Th>{t("approvals.state")}</Table.Th>
            <Table.Th ta="right" w="15%" className={classes.wide}>
              {t("approvals.fields.atMostRecipients")}
            </Table.Th>
            <Table.Th className={classes.wide}>{t("approvals.asked")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.uuid} row={row} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && <EmptyList loading={!complete} text={empty} />}
    </Paper>
  );
}

function Row({ row }: { row: ApprovalRowFragment }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { uuid, plan, sendingProject, state, askedAt, askedByEmail } = row;
  const channel = sendingProject?.channel ?? "";
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Anchor component={Link} to={`/approvals/${uuid}`} size="sm" fw={500}>
          {t("approvals.rowTitle", { name: sendingProject?.name ?? "–", number: plan?.number ?? "–" })}
        </Anchor>
        <Text size="xs" c="dimmed">
          {textOr(`channels.${channel}`, channel)}
        </Text>
      </Table.Td>
      <Table.Td className={classes.anywhere}>
        <ApprovalBadge state={state} />
        <Outcome row={row} />
      </Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {plan && format.number(plan.atMostRecipients)}
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
        {askedByEmail}
        <Text size="xs" c="dimmed" className={classes.line}>
          <Time value={askedAt} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** Who has decided, or what was changed; of one that waits, since when. */
function Outcome({ row }: { row: ApprovalRowFragment }) {
  const changedText = useChangedText();
  const { state, decidedAt, decidedByEmail, voidedByEmail, changed, askedAt, askedByEmail } = row;
  const narrow = useNarrow();
  if (state === "asked" && !narrow) return null; // a column of its own says it
  const person = state === "asked" ? askedByEmail : decidedByEmail;
  const said = state === "void" ? [changedText(changed), voidedByEmail] : [person];
  return (
    <Text size="xs" c="dimmed">
      {said.filter(Boolean).join(" · ")}
      {said.some(Boolean) && " · "}
      <Time value={decidedAt ?? askedAt} />
    </Text>
  );
}
