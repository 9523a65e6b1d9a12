import { Loader, Table, Text } from "@mantine/core";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import { PlanOfSeries, StartSeries } from "./documents";
import classes from "./series.module.css";

interface Props {
  uuid: string;
  onClose: () => void;
  onStarted: () => void;
}

/** Shows what a series would send and cost, and starts exactly that. */
export function StartDialog({ uuid, onClose, onStarted }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { data, problem, reload } = useLoaded(PlanOfSeries, { id: uuid });
  const form = useRequestForm({ initialValues: {} });
  const plan = data?.seriesPlan;

  const start = form.sends(async () => {
    const input = { planHash: plan?.hash ?? "" };
    const { data: done, error } = await client.mutation(StartSeries, { id: uuid, input }).toPromise();
    if (!done?.startSeries) return error;
    onStarted();
  });
  const money = (amount: number | null | undefined) =>
    plan && amount != null ? format.money(amount, plan.currency) : t("series.byNumber");

  return (
    <FormDialog
      size="lg"
      title={t("series.startTitle")}
      form={form}
      onSubmit={start}
      action={t("series.start")}
      disabled={!plan}
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!plan && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
      {plan && (
        <>
          <Text size="sm">
            {plan.entersNow == null
              ? t("series.entersUnknown")
              : t("series.entersNow", { count: plan.entersNow, number: format.number(plan.entersNow) })}{" "}
            {t("series.costs", { price: money(plan.pricePerPerson) })}
          </Text>
          <Table verticalSpacing={6} aria-label={t("series.steps")} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("series.steps")}</Table.Th>
                <Table.Th>{t("series.text")}</Table.Th>
                <Table.Th className={classes.number}>{t("series.price")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {plan.steps.map((step) => (
                <Table.Tr key={step.number}>
                  <Table.Td>
                    {step.number}. {t(`series.channels.${step.channel}`)}
                  </Table.Td>
                  <Table.Td className={classes.anywhere}>
                    <Text size="sm" fw={500}>
                      {step.subject ?? step.templateKey}
                    </Text>
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {step.text}
                    </Text>
                    {(step.locales.length > 1 || step.files > 0) && (
                      <Text size="xs" c="dimmed">
                        {t("series.languagesAndFiles", {
                          locales: step.locales.join(", "),
                          files: step.files,
                        })}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td className={classes.number}>{money(step.price)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </FormDialog>
  );
}
