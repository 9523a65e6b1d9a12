import { Paper, Table, Text, Title } from "@mantine/core";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import type { VerificationsPageQuery } from "../../gql/graphql";
import classes from "./verifications.module.css";

type Group = NonNullable<VerificationsPageQuery["suspectedGroups"]>["nodes"][number];

/** The countries and prefixes to which codes were not sent, newest first. */
export function SuspectedTable({ rows }: { rows: readonly Group[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const isFree = useBilling() === "off";
  return (
    <Paper p="sm">
      <Title order={2} mb={4}>
        {t("verifications.suspected")}
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("verifications.noneSuspected")}
        </Text>
      ) : (
        <Table verticalSpacing={6} aria-label={t("verifications.suspected")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("verifications.group")}</Table.Th>
              <Table.Th ta="end">{t("verifications.started")}</Table.Th>
              <Table.Th ta="end">{t("verifications.approved")}</Table.Th>
              <Table.Th ta="end">{t("verifications.suppressed")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.uuid}>
                <Table.Td className={classes.anywhere}>
                  <Text size="sm" fw={500}>
                    {row.kind === "prefix" ? `${row.value}…` : nameOf(row.value)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {row.kind === "prefix" && `${nameOf(row.country)} · `}
                    <Time value={row.hour} /> ·{" "}
                    {t("verifications.from", { number: format.number(row.threshold) })}
                  </Text>
                </Table.Td>
                <Table.Td ta="end">{format.number(row.started)}</Table.Td>
                <Table.Td ta="end">{format.number(row.approved)}</Table.Td>
                <Table.Td ta="end">
                  {format.number(row.suppressed)}
                  {!isFree && (
                    <Text size="xs" c="dimmed">
                      {format.money(row.saved, row.currency)}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
