import { Anchor, Button, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { UserLink } from "../../frame/ui/UserLink";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { Time } from "../../frame/ui/Time";
import { useNarrow } from "../../frame/ui/useNarrow";
import classes from "../../frame/list/table.module.css";
import { SenderStateBadge } from "./SenderStateBadge";
import type { SenderIdRow } from "./useSenderIds";

interface Actions {
  onCountries: (row: SenderIdRow) => void;
  onDecide: (row: SenderIdRow) => void;
  onRemove: (row: SenderIdRow) => void;
}

interface Props extends Actions {
  state: PagedState<SenderIdRow>;
  filtered: boolean;
  onAsk: () => void;
}

export function SenderIdTable({ state, filtered, onAsk, ...actions }: Props) {
  const { t } = useTranslation();
  const { isAdmin, may } = useViewer();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        aria-label={t("nav.senderIds")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("senderIds.value")}</Table.Th>
            <Table.Th>{t("senderIds.state")}</Table.Th>
            <Table.Th className={classes.wide}>{t("senderIds.countries")}</Table.Th>
            {isAdmin && <Table.Th className={classes.wide}>{t("senderIds.owner")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("senderIds.asked")}</Table.Th>
            <Table.Th>
              <span className="visually-hidden">{t("senderIds.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.uuid} row={row} {...actions} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "senderIds.nothingFound" : "senderIds.empty")}
          hint={filtered || !may("senders:write") ? undefined : t("senderIds.emptyHint")}
          add={!filtered && may("senders:write") && { label: t("senderIds.ask"), onClick: onAsk }}
        />
      )}
    </Paper>
  );
}

function Row({ row, onCountries, onDecide, onRemove }: Actions & { row: SenderIdRow }) {
  const { t } = useTranslation();
  const { isAdmin, may } = useViewer();
  const { value, kind, state, reason, countries, owner, createdAt } = row;
  const isSms = kind !== "email";
  const narrow = useNarrow();
  const served = isSms && countries.length === 0 ? t("senderIds.allCountries") : countries.join(", ");
  const serves =
    isSms && may("senders:write") ? (
      <Anchor component="button" size="sm" ta="start" onClick={() => onCountries(row)}>
        {served}
      </Anchor>
    ) : (
      served
    );
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm" fw={500}>
          {value}
        </Text>
        <Text size="xs" c="dimmed">
          {t(`senderIds.kinds.${kind}`)}
        </Text>
        {narrow && serves}
      </Table.Td>
      <Table.Td>
        <SenderStateBadge state={state} />
        {reason && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
        {kind === "email" && state === "pending" && (
          <Anchor component={Link} to="/domains" size="xs">
            {t("senderIds.verify")}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`}>{!narrow && serves}</Table.Td>
      {isAdmin && <Table.Td className={classes.wide}>{owner && <UserLink user={owner} />}</Table.Td>}
      <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
        <Time value={createdAt} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {isAdmin && isSms && (
            <Button
              size="compact-xs"
              variant={state === "pending" ? "filled" : "default"}
              aria-label={t("senderIds.decideOf", { value })}
              onClick={() => onDecide(row)}
            >
              {t("senderIds.decide")}
            </Button>
          )}
          {may("senders:write") && (isAdmin || state !== "refused") && (
            <RemoveButton label={t("senderIds.deleteOf", { value })} onClick={() => onRemove(row)} />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
