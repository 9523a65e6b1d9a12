import { Anchor, Paper, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import type { CountryRulesPageQuery } from "../../gql/graphql";
import { useCountryNames } from "./useCountryNames";

type Limited = NonNullable<CountryRulesPageQuery["countryRules"]>["limited"];

/** The caps that were reached lately. */
export function LimitedTable({ rows, owners }: { rows: Limited; owners: boolean }) {
  const { t } = useTranslation();
  const { nameOf } = useCountryNames();
  return (
    <Paper p="sm">
      <Title order={2}>{t("countries.limited")}</Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("countries.nothingLimited")}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={420}>
          <Table verticalSpacing={6} aria-label={t("countries.limited")}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("countries.country")}</Table.Th>
                <Table.Th>{t("countries.cap")}</Table.Th>
                <Table.Th>{t("countries.when")}</Table.Th>
                <Table.Th>{t("countries.until")}</Table.Th>
                {owners && (
                  <Table.Th>
                    <span className="visually-hidden">{t("countries.user")}</span>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={`${row.ownerUuid} ${row.country} ${row.createdAt}`}>
                  <Table.Td fw={500}>{nameOf(row.country)}</Table.Td>
                  <Table.Td>{t(`countries.caps.${row.cap}`)}</Table.Td>
                  <Table.Td>
                    <Time value={row.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Time value={row.until} />
                  </Table.Td>
                  {owners && (
                    <Table.Td ta="right">
                      <Anchor component={Link} to={`/countries?user=${row.ownerUuid}`} size="sm">
                        {t("countries.itsRule")}
                      </Anchor>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
