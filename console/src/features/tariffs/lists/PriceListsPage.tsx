import { Anchor, Button, Paper, Stack, Table } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, useNavigate } from "react-router";
import { useSearchParams } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import { TariffTabs } from "../TariffTabs";
import classes from "../tariffs.module.css";
import { PriceListPageQuery } from "./documents";
import { PriceListDialog } from "./PriceListDialog";

const PAGE = 100; // of at most 200

/** The lists with prices by prefix; for others than administrators the one of their tariff. */
export default function PriceListsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { isAdmin } = useViewer();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const { list, state } = usePagedQuery(
    "price-lists",
    PriceListPageQuery,
    (after) => ({ first: PAGE, after }),
    (data) => data.priceLists,
    { pollWith: "update" },
  );
  const { rows, problem, loading } = state;
  usePageTitle(t("priceLists.title"));
  const button = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => change({ add: "1" })}>
      {t("priceLists.add")}
    </Button>
  );
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.tariffs")} about={t("priceLists.about")}>
        {isAdmin && button}
      </PageHead>
      <TariffTabs />
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      <Paper>
        <Table verticalSpacing={6} aria-label={t("priceLists.title")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("priceLists.name")}</Table.Th>
              <Table.Th>{t("tariffs.currency")}</Table.Th>
              <Table.Th>{t("priceLists.prices")}</Table.Th>
              <Table.Th className={classes.wide}>{t("priceLists.since")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ uuid, name, currency, current }) => (
              <Table.Tr key={uuid}>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to={`/tariffs/lists/${uuid}`}
                    size="sm"
                    fw={500}
                    className={classes.name}
                  >
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{currency}</Table.Td>
                <Table.Td>{current ? format.number(current.size) : t("priceLists.none")}</Table.Td>
                <Table.Td className={classes.wide} c="dimmed">
                  {current && <Time value={current.validFrom} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && !problem && (
          <EmptyList
            loading={loading || !state.complete}
            text={t("priceLists.empty")}
            hint={isAdmin ? t("priceLists.emptyHint") : undefined}
          >
            {isAdmin && button}
          </EmptyList>
        )}
      </Paper>
      <LoadMore label={t("tariffs.next")} list={list} state={state} />
      {isAdmin && params.has("add") && (
        <PriceListDialog
          onClose={() => change({ add: null }, true)}
          onSaved={(uuid) => void navigate(`/tariffs/lists/${uuid}`, { replace: true })}
        />
      )}
    </Stack>
  );
}
