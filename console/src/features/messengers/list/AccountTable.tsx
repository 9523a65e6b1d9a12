import { Anchor, Paper, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { EmptyList } from "../../../frame/list/EmptyList";
import { useTranslation } from "../../../frame/i18n";
import type { PagedState } from "../../../frame/list/PagedList";
import { Time } from "../../../frame/ui/Time";
import type { MessengerRowFragment } from "../../../gql/graphql";
import { AccountBadge } from "../AccountBadge";
import classes from "../messengers.module.css";
import { groupOf, phoneOf } from "../states";
import { LiftButton, RestrictionBadge, RestrictionText } from "../Restriction";
import { useAccountStory } from "../useAccountStory";
import type { AccountRow } from "./useAccounts";

interface Props {
  state: PagedState<AccountRow>;
  empty: string;
  /** the button that fills an empty table */
  act?: ReactNode;
  admin: boolean;
  onLifted: (account: MessengerRowFragment) => void;
}

export function AccountTable({ state, empty, act, admin, onLifted }: Props) {
  const { rows, loading, complete, problem } = state;
  const { t } = useTranslation();
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("messengers.title")} aria-busy={loading} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("messengers.columns.account")}</Table.Th>
            <Table.Th className={classes.wide}>{t("messengers.columns.phone")}</Table.Th>
            <Table.Th>{t("messengers.columns.state")}</Table.Th>
            <Table.Th className={classes.wide}>{t("messengers.columns.since")}</Table.Th>
            <Table.Th className={classes.wide}>{t("messengers.columns.needs")}</Table.Th>
            {admin && <Table.Th className={classes.wide}>{t("messengers.columns.owner")}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.uuid} row={row} admin={admin} onLifted={onLifted} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList loading={!complete} text={empty}>
          {act}
        </EmptyList>
      )}
    </Paper>
  );
}

function Row({ row, admin, onLifted }: { row: AccountRow } & Pick<Props, "admin" | "onLifted">) {
  const { t } = useTranslation();
  const { next } = useAccountStory()(row);
  const group = groupOf(row.state);
  const needs = group === "login" || group === "down" ? next : "";
  const login = row.login === row.name ? "" : ` · ${row.login}`;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Anchor
          component={Link}
          to={`/messengers/${row.uuid}`}
          className={classes.name}
          c="inherit"
          fw={500}
          size="sm"
        >
          {row.name}
        </Anchor>
        <Text size="xs" c="dimmed" className={classes.break}>
          {t(`channels.${row.source}`)}
          {row.driver === "sandbox" && ` (${t("messengers.sandbox")})`}
          {login}
        </Text>
        {needs && (
          <Text size="xs" className={classes.narrow}>
            {needs}
          </Text>
        )}
        {row.restriction && (
          <div className={classes.narrow}>
            <RestrictionText account={row} />
            <LiftButton account={row} onLifted={onLifted} />
          </div>
        )}
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.whole}`}>{phoneOf(row) ?? "—"}</Table.Td>
      <Table.Td>
        <AccountBadge state={row.state} /> <RestrictionBadge account={row} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.whole}`} c="dimmed">
        {row.stateAt && <Time value={row.stateAt} />}
      </Table.Td>
      <Table.Td className={classes.wide}>
        {(needs || !row.restriction) && (
          <Text size="sm" c={needs ? undefined : "dimmed"}>
            {needs || t("messengers.nothing")}
          </Text>
        )}
        {row.restriction && <RestrictionText account={row} />}
        <LiftButton account={row} onLifted={onLifted} />
      </Table.Td>
      {admin && <Table.Td className={`${classes.wide} ${classes.break}`}>{row.owner?.email}</Table.Td>}
    </Table.Tr>
  );
}
