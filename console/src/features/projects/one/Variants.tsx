import { Paper, Table, Text, Title } from "@mantine/core";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { letterOf } from "../new/text/variants";
import classes from "../projects.module.css";
import type { Project } from "./model";
import { Verdict } from "./report/Verdict";

/** How each text did. */
export function Variants({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const results = project.variantStatistics ?? [];
  if (project.variants.length === 0 || results.length === 0) return null;
  const share = (value: number | null | undefined) =>
    typeof value === "number" ? format.percent(value) : "–";
  return (
    <Paper p="sm" className={classes.whole}>
      <Title order={2} mb="xs">
        {t("project.variants")}
      </Title>
      <Verdict results={results} />
      <div className={classes.scroll}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("project.variants")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("message.variant")}</Table.Th>
              <Table.Th ta="right">{t("project.allMessages")}</Table.Th>
              <Table.Th ta="right">{t("states.delivered")}</Table.Th>
              <Table.Th ta="right">{t("states.read")}</Table.Th>
              <Table.Th ta="right">{t("project.replied")}</Table.Th>
              <Table.Th ta="right">{t("states.failed")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map(({ variant, counts, rates }) => (
              <Table.Tr key={variant}>
                <Table.Td maw={260}>
                  <Text size="sm" dir="auto" truncate title={project.variants[variant]?.text}>
                    <b>{letterOf(variant)}</b> {project.variants[variant]?.text}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{format.number(counts.total)}</Table.Td>
                <Table.Td ta="right">{share(rates.delivered)}</Table.Td>
                <Table.Td ta="right">{share(rates.read)}</Table.Td>
                <Table.Td ta="right">{share(rates.replied)}</Table.Td>
                <Table.Td ta="right">{share(rates.failed)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {t("report.sharesOf")}
      </Text>
    </Paper>
  );
}
