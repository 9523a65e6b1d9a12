import { Anchor, Paper, Table } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import { UserLink } from "../../frame/ui/UserLink";
import { DomainBadge } from "./DomainBadge";
import classes from "../../frame/list/table.module.css";
import type { DomainRow } from "./useDomains";

interface Props {
  state: PagedState<DomainRow>;
  filtered: boolean;
  onAdd: () => void;
}

export function DomainTable({ state, filtered, onAdd }: Props) {
  const { t } = useTranslation();
  const { isAdmin, may } = useViewer();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("nav.domains")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("domains.name")}</Table.Th>
            <Table.Th>{t("domains.state")}</Table.Th>
            {isAdmin && <Table.Th className={classes.wide}>{t("domains.owner")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("domains.checked")}</Table.Th>
            <Table.Th className={classes.wide}>{t("domains.added")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ uuid, name, status, owner, checkedAt, createdAt }) => (
            <Table.Tr key={uuid}>
              <Table.Td className={classes.anywhere}>
                <Anchor component={Link} to={`/domains/${uuid}`} size="sm" fw={500}>
                  {name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <DomainBadge status={status} />
              </Table.Td>
              {isAdmin && <Table.Td className={classes.wide}>{owner && <UserLink user={owner} />}</Table.Td>}
              <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
                {checkedAt ? <Time value={checkedAt} /> : t("domains.never")}
              </Table.Td>
              <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
                <Time value={createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "domains.nothingFound" : "domains.empty")}
          hint={filtered || !may("senders:write") ? undefined : t("domains.emptyHint")}
          add={!filtered && may("senders:write") && { label: t("domains.add"), onClick: onAdd }}
        />
      )}
    </Paper>
  );
}
