import { Anchor, Badge, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { UserLink } from "../../frame/ui/UserLink";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { Time } from "../../frame/ui/Time";
import classes from "../../frame/list/table.module.css";
import type { SenderRow } from "./useSenders";

const COLORS = { connected: "teal", disconnected: "orange", blocked: "red", deleted: "gray" } as const;

interface Props {
  state: PagedState<SenderRow>;
  filtered: boolean;
  onAdd: () => void;
  onRemove: (row: SenderRow) => void;
}

export function SenderTable({ state, filtered, onAdd, onRemove }: Props) {
  const { t } = useTranslation();
  const { isAdmin, may } = useViewer();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        aria-label={t("senders.title")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("senders.name")}</Table.Th>
            <Table.Th>{t("senders.state")}</Table.Th>
            <Table.Th className={classes.wide}>{t("senders.source")}</Table.Th>
            <Table.Th className={`${classes.wide} ${classes.line}`}>{t("senders.through")}</Table.Th>
            {isAdmin && <Table.Th className={classes.wide}>{t("senders.owner")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("senders.added")}</Table.Th>
            <Table.Th w={44}>
              <span className="visually-hidden">{t("senders.remove")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <SenderRowView key={row.uuid} row={row} isAdmin={isAdmin} onRemove={() => onRemove(row)} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "senders.nothingFound" : "senders.empty")}
          hint={filtered || !may("senders:write") ? undefined : t("senders.emptyHint")}
          add={!filtered && may("senders:write") && { label: t("senders.add"), onClick: onAdd }}
        />
      )}
    </Paper>
  );
}

interface RowProps {
  row: SenderRow;
  isAdmin: boolean;
  onRemove: () => void;
}

function SenderRowView({ row, isAdmin, onRemove }: RowProps) {
  const { t, textOr } = useTranslation();
  const { may } = useViewer();
  const { name, login, status, source, tokenHint, messengerAccount, owner } = row;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {login !== name && (
          <Text size="xs" c="dimmed">
            {login}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge
          variant="light"
          color={COLORS[status]}
          radius="sm"
          size="sm"
          tt="none"
          fw={500}
          miw="max-content"
        >
          {t(`senders.states.${status}`)}
        </Badge>
      </Table.Td>
      <Table.Td className={classes.wide}>{textOr(`channels.${source}`, source)}</Table.Td>
      <Table.Td className={classes.wide}>
        {messengerAccount ? (
          <Anchor component={Link} to={`/messengers/${messengerAccount.uuid}`} size="sm">
            {messengerAccount.name}
          </Anchor>
        ) : (
          <Text size="sm" c="dimmed" className={classes.line}>
            {t("senders.token", { hint: tokenHint })}
          </Text>
        )}
      </Table.Td>
      {isAdmin && <Table.Td className={classes.wide}>{owner && <UserLink user={owner} />}</Table.Td>}
      <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
        <Time value={row.createdAt} />
      </Table.Td>
      <Table.Td>
        {may("senders:write") && <RemoveButton label={t("senders.removeOf", { name })} onClick={onRemove} />}
      </Table.Td>
    </Table.Tr>
  );
}
