import { Button, Group, Paper, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import classes from "../developer.module.css";

interface Props<Row> {
  label: string;
  /** whether the revoked ones are shown */
  revoked: boolean;
  onShow: (revoked: boolean) => void;
  /** null while the rows of the other filter are there, which never stand under these headings */
  rows: readonly Row[] | null;
  loading: boolean;
  problem: Problem | null;
  onRetry: () => void;
  empty: string;
  /** the button that fills an empty table */
  act?: ReactNode;
  /** what stands between the filter and the table */
  notice?: ReactNode;
  /** the cells of the head, but for the last */
  head: ReactNode;
  /** the whole row, with a RevokeButton in its last cell */
  row: (row: Row) => ReactNode;
}

/** The table of secrets that can be revoked, with a filter for those that are. */
export function SecretList<Row>({ label, revoked, onShow, rows, loading, problem, ...rest }: Props<Row>) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap={6}>
        <FilterMenu
          label={t("tokens.show")}
          options={[{ value: "revoked", label: t("tokens.revokedOnes") }]}
          chosen={revoked ? ["revoked"] : []}
          onChange={([value]) => onShow(value !== undefined)}
        />
      </Group>
      {rest.notice}
      {problem && <ProblemNotice problem={problem} onRetry={rest.onRetry} />}
      <Paper>
        <Table verticalSpacing={6} aria-label={label} aria-busy={loading} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {rest.head}
              <Table.Th w={110}>
                <span className="visually-hidden">{t("tokens.revoke")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{rows?.map(rest.row)}</Table.Tbody>
        </Table>
        {!rows?.length && (loading || rows) && (
          <EmptyList loading={loading} text={rest.empty}>
            {!revoked && rest.act}
          </EmptyList>
        )}
      </Paper>
    </>
  );
}

/** `label` names what is revoked, for those who do not see the row. */
export function RevokeButton({ label, onClick }: { label: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="subtle" color="red" size="compact-xs" aria-label={label} onClick={onClick}>
      {t("tokens.revoke")}
    </Button>
  );
}
