import { Button, Group, Loader, Paper, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../frame/i18n";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { useNarrow } from "../../frame/ui/useNarrow";
import { useFormat } from "../../frame/values/format";
import { withMarks } from "../../frame/values/marks";
import type { InvoicesQuery } from "../../gql/graphql";
import classes from "../../frame/list/table.module.css";
import { amountOf } from "./invoice";

type Invoice = NonNullable<InvoicesQuery["providerInvoices"]>["nodes"][number];

interface Props {
  invoice: Invoice;
  onDifferences: () => void;
  onRemove: () => void;
  children: ReactNode;
}

/** One invoice: how far it is, and what was found out. */
export function InvoiceCard({ invoice, onDifferences, onRemove, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const narrow = useNarrow();
  const { route, periodFrom, periodTo, currency, status, statusReason, lines, compared, sums } = invoice;
  const money = (amount: number) => amountOf(format, amount, currency);
  const last = new Date(Date.parse(periodTo) - 1).toISOString();
  const total = (name: "count" | "billed" | "expected") => sums.reduce((sum, each) => sum + each[name], 0);
  const notBilled = sums.find(({ verdict }) => verdict === "sentNotBilled")?.count ?? 0;
  const title = `${route} · ${periodFrom.slice(0, 10)} – ${last.slice(0, 10)}`;
  return (
    <Paper p="sm">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} className={classes.anywhere}>
          {title}
        </Title>
        <RemoveButton label={t("costs.removeOf", { title })} onClick={onRemove} />
      </Group>
      {status === "processing" && (
        <Group gap="xs" aria-live="polite">
          <Loader size="xs" />
          <Text size="sm">
            {t("costs.comparing", { compared: format.number(compared), lines: format.number(lines) })}
          </Text>
        </Group>
      )}
      {status === "failed" && (
        <Text size="sm" c="red">
          {withMarks(statusReason ?? "")}
        </Text>
      )}
      {status === "ready" && (
        <>
          <Table verticalSpacing={4} aria-label={title} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("costs.found")}</Table.Th>
                <Table.Th ta="right">{t("costs.lines")}</Table.Th>
                <Table.Th ta="right">{t("costs.billed")}</Table.Th>
                {!narrow && <Table.Th ta="right">{t("costs.expected")}</Table.Th>}
                <Table.Th ta="right">{t("costs.difference")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sums.map(({ verdict, count, billed, expected }) => (
                <Table.Tr key={verdict}>
                  <Table.Td>{t(`costs.verdicts.${verdict}`)}</Table.Td>
                  <Table.Td ta="right">{format.number(count)}</Table.Td>
                  <Table.Td ta="right">{money(billed)}</Table.Td>
                  {!narrow && <Table.Td ta="right">{currency ? money(expected) : "–"}</Table.Td>}
                  <Table.Td ta="right">{currency ? money(billed - expected) : "–"}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th>{t("costs.total")}</Table.Th>
                <Table.Th ta="right">{format.number(total("count"))}</Table.Th>
                <Table.Th ta="right">{money(total("billed"))}</Table.Th>
                {!narrow && <Table.Th ta="right">{currency ? money(total("expected")) : "–"}</Table.Th>}
                <Table.Th ta="right">{currency ? money(total("billed") - total("expected")) : "–"}</Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
          {2 * notBilled > lines && (
            <Text size="sm" mt="xs">
              {t("costs.otherMonth", { count: format.number(notBilled) })}
            </Text>
          )}
          {!currency && (
            <Text size="sm" c="dimmed" mt="xs">
              {t("costs.noPrices")}
            </Text>
          )}
          <Group my="xs">
            <Button variant="default" onClick={onDifferences}>
              {t("costs.exportDifferences")}
            </Button>
          </Group>
        </>
      )}
      {children}
    </Paper>
  );
}
