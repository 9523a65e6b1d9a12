import { Anchor, Badge, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import { UserLink } from "../../frame/ui/UserLink";
import { VersionBadge } from "./VersionBadge";
import classes from "./templates.module.css";
import type { TemplateRow } from "./useTemplates";

interface Props {
  rows: readonly TemplateRow[];
  state: PagedState<TemplateRow>;
  filtered: boolean;
  onAdd: () => void;
}

export function TemplateTable({ rows, state, filtered, onAdd }: Props) {
  const { t } = useTranslation();
  const { isAdmin, may } = useViewer();
  const owners = isAdmin && may("users:read");
  const { loading, complete, problem } = state;
  const adds = !filtered && may("projects:write");
  return (
    <Paper>
      <Table
        verticalSpacing={6}
        aria-label={t("templates.title")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("templates.name")}</Table.Th>
            <Table.Th className={classes.wide}>{t("templates.category")}</Table.Th>
            <Table.Th className={classes.wide}>{t("templates.languages")}</Table.Th>
            <Table.Th>{t("templates.version")}</Table.Th>
            {owners && <Table.Th className={classes.wide}>{t("templates.owner")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("templates.changed")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              <Table.Td className={classes.name}>
                <Anchor component={Link} to={`/templates/${row.uuid}`} size="sm" fw={500}>
                  {row.name}
                </Anchor>
                <Text size="xs" c="dimmed" ff="monospace">
                  {row.key}
                </Text>
              </Table.Td>
              <Table.Td className={classes.wide}>{t(`templates.categories.${row.category}`)}</Table.Td>
              <Table.Td className={classes.wide}>{localesOf(row).join(", ")}</Table.Td>
              <Table.Td>
                <VersionBadge number={row.version ?? null} />{" "}
                {row.archivedAt && (
                  <Badge variant="light" color="gray" radius="sm" size="sm" tt="none" fw={500}>
                    {t("templates.archived")}
                  </Badge>
                )}
              </Table.Td>
              {owners && (
                <Table.Td className={`${classes.wide} ${classes.name}`}>
                  {row.owner && <UserLink user={row.owner} />}
                </Table.Td>
              )}
              <Table.Td className={classes.wide} c="dimmed">
                <Time value={row.updatedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "templates.nothingFound" : "templates.empty")}
          hint={adds ? t("templates.emptyHint") : undefined}
          add={adds && { label: t("templates.add"), onClick: onAdd }}
        />
      )}
    </Paper>
  );
}

/** The languages of the newest published version; of a template without one those of its newest draft. */
function localesOf({ published, drafts }: TemplateRow): readonly string[] {
  return (published?.nodes[0] ?? drafts?.nodes[0])?.locales ?? [];
}
