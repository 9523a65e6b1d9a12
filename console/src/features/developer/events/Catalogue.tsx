import { Anchor, Paper, Table } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { SearchField } from "../../../frame/ui/SearchField";
import { Empty } from "../../../frame/ui/page/Empty";
import type { FeedStateQuery } from "../../../gql/graphql";
import classes from "../developer.module.css";

/** All types of events. */
export function Catalogue({ types }: { types: NonNullable<FeedStateQuery["eventTypes"]> }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const text = search.trim().toLowerCase();
  const matching = types.filter(({ type, when }) => `${type} ${when}`.toLowerCase().includes(text));
  return (
    <>
      <SearchField label={t("feed.search")} value={search} onChange={setSearch} />
      <Paper mt={8}>
        <Table verticalSpacing={6} aria-label={t("feed.types")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("feed.type")}</Table.Th>
              <Table.Th>{t("feed.when")}</Table.Th>
              <Table.Th className={classes.wide}>{t("feed.data")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {matching.map((row) => (
              <Table.Tr key={row.type}>
                <Table.Td className={classes.anywhere}>
                  <Anchor component={Link} size="sm" to={`/events?types=${row.type}`}>
                    {row.type}
                  </Anchor>
                </Table.Td>
                <Table.Td lang="en">{row.when}</Table.Td>
                <Table.Td className={classes.wide}>{row.data}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {types.length > 0 && matching.length === 0 && <Empty text={t("feed.noType")} />}
      </Paper>
    </>
  );
}
