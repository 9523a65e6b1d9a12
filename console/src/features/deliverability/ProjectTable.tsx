import { Anchor, Paper, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import type { DeliverabilityByProviderQuery } from "../../gql/graphql";
import classes from "./deliverability.module.css";
import { Level, Share } from "./ProviderTable";

type Project = NonNullable<DeliverabilityByProviderQuery["deliverabilityByProject"]>["items"][number];

const SHOWN = 20;

/** The projects whose emails have the most complaints and bounces. */
export function ProjectTable({ items }: { items: Project[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (items.length === 0) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("deliverability.projects")}
      </Title>
      <Table verticalSpacing={6} aria-label={t("deliverability.projects")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("deliverability.project")}</Table.Th>
            <Table.Th ta="right">{t("deliverability.accepted")}</Table.Th>
            <Table.Th ta="right">{t("deliverability.bounced")}</Table.Th>
            <Table.Th ta="right">{t("deliverability.complaints")}</Table.Th>
            <Table.Th className={classes.wide}>{t("deliverability.level")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.slice(0, SHOWN).map((item) => (
            <Table.Tr key={item.sendingProjectUuid}>
              <Table.Td>
                <Anchor component={Link} to={`/projects/${item.sendingProjectUuid}`} size="sm">
                  {item.name}
                </Anchor>
                {item.from && (
                  <Text size="xs" c="dimmed" className={classes.wide}>
                    {item.from}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">{format.number(item.accepted)}</Table.Td>
              <Table.Td ta="right">
                <Share rate={item.bounceRate} count={item.bounced} />
              </Table.Td>
              <Table.Td ta="right">
                <Share rate={item.complaintRate} count={item.complaints} />
                <Level item={item} narrow />
              </Table.Td>
              <Table.Td className={classes.wide}>
                <Level item={item} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
