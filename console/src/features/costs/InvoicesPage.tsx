import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../frame/api/useLoaded";
import { Exports } from "../../frame/files/Exports";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { LoadMore } from "../../frame/list/LoadMore";
import { usePagedQuery } from "../../frame/list/PagedList";
import { Question } from "../../frame/ui/dialogs/Question";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { CostTabs } from "./CostTabs";
import { CostsOfRoutes, DeleteInvoice, Invoices } from "./documents";
import { InvoiceCard } from "./InvoiceCard";
import { NewInvoiceDialog } from "./NewInvoiceDialog";

const PAGE = 20;
const POLL_MS = 5_000;
const DIFFERENCES = "invoice-differences";

/** Invoices of providers, compared with what was sent. */
export default function InvoicesPage() {
  const { t } = useTranslation();
  usePageTitle(t("costs.invoices"));
  return (
    <AdminOnly>
      <InvoiceList />
    </AdminOnly>
  );
}

function InvoiceList() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const { data } = useLoaded(CostsOfRoutes, {});
  const { list, state } = usePagedQuery(
    "provider-invoices",
    Invoices,
    (after) => ({ first: PAGE, after }),
    (page) => page.providerInvoices,
    { pollMs: POLL_MS, pollWith: "update" },
  );
  const { rows, problem, complete } = state;
  const button = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
      {t("costs.addInvoice")}
    </Button>
  );
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.costs")} about={t("costs.aboutInvoices")}>
        {button}
      </PageHead>
      <CostTabs />
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      {rows.map((row) => (
        <InvoiceCard
          key={row.uuid}
          invoice={row}
          onDifferences={() => setChosen(row.uuid)}
          onRemove={() => setRemoving(row.uuid)}
        >
          {chosen === row.uuid && (
            <Exports
              title={t("costs.differences")}
              empty={t("costs.noFile")}
              sources={[{ source: DIFFERENCES, label: t("costs.differences") }]}
              where={{ source: { eq: DIFFERENCES } }}
              filters={{ invoiceUuid: row.uuid }}
            />
          )}
        </InvoiceCard>
      ))}
      {rows.length === 0 && !problem && (
        <EmptyList loading={!complete} text={t("costs.noInvoices")} hint={t("costs.noInvoicesHint")}>
          {button}
        </EmptyList>
      )}
      <LoadMore label={t("costs.next")} list={list} state={state} />
      {removing && (
        <Question
          title={t("costs.removeTitle")}
          question={t("costs.removeText")}
          action={t("costs.remove")}
          mutation={DeleteInvoice}
          variables={{ id: removing }}
          onDone={() => {
            setRemoving(null);
            void list.retry();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
      {adding && (
        <NewInvoiceDialog
          routes={[
            ...new Set([
              ...(data?.routeCosts ?? []).map(({ route }) => route),
              ...(data?.systemRoutes ?? [])
                .filter(({ channel }) => channel === "sms")
                .map(({ name }) => name),
            ]),
          ]}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            void list.retry();
          }}
        />
      )}
    </Stack>
  );
}
