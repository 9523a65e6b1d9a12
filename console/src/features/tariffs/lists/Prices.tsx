import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { SearchField } from "../../../frame/ui/SearchField";
import { useFormat } from "../../../frame/values/format";
import { useCountryNames } from "../../../frame/values/useCountryNames";
import classes from "../tariffs.module.css";
import { PricesOfList } from "./documents";

const FIRST = 50;
const LONGEST = 10;

/** The prices of a version, by the digits with which a number begins. */
export function Prices({ uuid, currency, version }: { uuid: string; currency: string; version: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { isAdmin } = useViewer();
  const { nameOf } = useCountryNames();
  const [text, setText] = useState("");
  const begins = text.replaceAll(/\D/g, "").slice(0, LONGEST);
  const { data, problem, reload } = useLoaded(PricesOfList, { id: uuid, begins, version, first: FIRST });
  const page = data?.prices;
  return (
    <Paper p="sm">
      <Stack gap="xs">
        <Title order={2}>{t("priceLists.pricesOf", { number: version })}</Title>
        <SearchField label={t("priceLists.search")} value={text} onChange={setText} />
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        {page && (
          <Table verticalSpacing={4} aria-label={t("priceLists.prices")} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("priceLists.prefix")}</Table.Th>
                <Table.Th>{t("priceLists.country")}</Table.Th>
                <Table.Th ta="right">{t("priceLists.price")}</Table.Th>
                {isAdmin && (
                  <Table.Th ta="right" className={classes.wide}>
                    {t("priceLists.cost")}
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.nodes.map(({ channel, prefix, country, price, cost }) => (
                <Table.Tr key={channel + prefix}>
                  <Table.Td>+{prefix}</Table.Td>
                  <Table.Td>{country ? nameOf(country) : "–"}</Table.Td>
                  <Table.Td ta="right">{format.exactMoney(price, currency)}</Table.Td>
                  {isAdmin && (
                    <Table.Td ta="right" className={classes.wide}>
                      {cost === null ? "–" : format.exactMoney(cost, currency)}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {page?.nodes.length === 0 && <Text size="sm">{t("priceLists.nothingFound")}</Text>}
        {page?.pageInfo.hasNextPage && (
          <Text size="xs" c="dimmed">
            {t("priceLists.first", { number: format.number(FIRST) })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
