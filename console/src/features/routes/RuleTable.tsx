import { Badge, Group, Paper, Table, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { UserLink } from "../../frame/ui/UserLink";
import { ChangeButton } from "../../frame/ui/dialogs/ChangeButton";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import classes from "../../frame/list/table.module.css";
import type { Route } from "./RouteTable";
import type { RuleRow } from "./useRouteRules";

interface Actions {
  onEdit: (row: RuleRow) => void;
  onRemove: (row: RuleRow) => void;
}

interface Props extends Actions {
  state: PagedState<RuleRow>;
  filtered: boolean;
  /** the configured routes of SMS; undefined until they are known */
  routes: readonly Route[] | undefined;
  onAdd: () => void;
}

export function RuleTable({ state, filtered, routes, onAdd, ...actions }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("routes.rules")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("routes.numbers")}</Table.Th>
            <Table.Th>{t("routes.route")}</Table.Th>
            {!narrow && (
              <>
                <Table.Th>{t("routes.messages")}</Table.Th>
                <Table.Th>{t("routes.user")}</Table.Th>
                <Table.Th ta="right">{t("routes.priority")}</Table.Th>
                <Table.Th ta="right">{t("routes.weight")}</Table.Th>
                <Table.Th>{t("routes.fallback")}</Table.Th>
              </>
            )}
            <Table.Th>
              <span className="visually-hidden">{t("routes.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.uuid} row={row} routes={routes} narrow={narrow} {...actions} />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "routes.nothingFound" : "routes.empty")}
          hint={filtered ? undefined : t("routes.emptyHint")}
          add={!filtered && { label: t("routes.add"), onClick: onAdd }}
        />
      )}
    </Paper>
  );
}

interface RowProps extends Actions {
  row: RuleRow;
  routes: readonly Route[] | undefined;
  narrow: boolean;
}

function Row({ row, routes, narrow, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const { prefix, country, route, category, owner, priority, weight, fallback } = row;
  const numbers = prefix ? `+${prefix}` : t("routes.allNumbers");
  const messages = category ? t(`routes.categories.${category}`) : t("routes.allMessages");
  const user = owner ? <UserLink user={owner} /> : t("routes.allUsers");
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500} className={prefix ? classes.line : undefined}>
          {numbers}
        </Text>
        {country && (
          <Text size="xs" c="dimmed">
            {nameOf(country)}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.anywhere}>
        <Group gap={6}>
          <span>{route}</span>
          <RouteMark name={route} routes={routes} />
        </Group>
        {narrow && (
          <Text size="xs" c="dimmed" component="div">
            <div>{messages}</div>
            <div>{user}</div>
            <div>
              {t("routes.priority")}: {format.number(priority)} · {t("routes.weight")}:{" "}
              {format.number(weight)}
            </div>
            <div>
              {t("routes.fallback")}: {t(fallback ? "routes.yes" : "routes.no")}
            </div>
          </Text>
        )}
      </Table.Td>
      {!narrow && (
        <>
          <Table.Td>{messages}</Table.Td>
          <Table.Td className={classes.anywhere}>{user}</Table.Td>
          <Table.Td ta="right">{format.number(priority)}</Table.Td>
          <Table.Td ta="right">{format.number(weight)}</Table.Td>
          <Table.Td>{t(fallback ? "routes.yes" : "routes.no")}</Table.Td>
        </>
      )}
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <ChangeButton label={t("routes.changeOf", { numbers, route })} onClick={() => onEdit(row)} />
          <RemoveButton label={t("routes.removeOf", { numbers, route })} onClick={() => onRemove(row)} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Says that nothing goes by the route that a rule names: it is not configured any more, or switched off. */
function RouteMark({ name, routes }: { name: string; routes: readonly Route[] | undefined }) {
  const { t } = useTranslation();
  const route = routes?.find((item) => item.name === name);
  if (!routes || route?.enabled) return null;
  return (
    <Badge
      variant="light"
      color={route ? "gray" : "red"}
      tt="none"
      radius="sm"
      size="sm"
      fw={500}
      miw="max-content"
    >
      {t(route ? "routes.uses.off" : "routes.uses.missing")}
    </Badge>
  );
}
