import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { Project } from "../model";
import classes from "./report.module.css";
import { useLightPrint } from "./useLightPrint";

/** What came of a project in a few numbers, all of them of the same messages: those that were to be sent. */
export function Result({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  useLightPrint();
  const { counts, account } = project;
  const cost = useBilling() === "off" ? null : project.cost;
  const meant = counts.total - counts.skipped - counts.canceled;
  const delivered = counts.delivered + counts.read;
  const share = (count: number) => (meant > 0 ? format.percent(count / meant) : "–");
  const number = (count: number) => format.number(count);
  return (
    <Paper p="sm" className={classes.whole}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("report.title")}</Title>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.onScreen}
          leftSection={<IconPrinter size={14} />}
          onClick={() => window.print()}
        >
          {t("report.print")}
        </Button>
      </Group>
      <dl className={classes.figures}>
        <Figure label={t("report.delivered")} value={share(delivered)} more={number(delivered)} />
        {counts.read > 0 && (
          <Figure label={t("states.read")} value={share(counts.read)} more={number(counts.read)} />
        )}
        <Figure label={t("project.replied")} value={share(counts.replied)} more={number(counts.replied)} />
        <Figure
          label={t("states.failed")}
          value={share(counts.failed)}
          more={number(counts.failed)}
          tone={counts.failed > 0 ? "bad" : undefined}
        />
        {cost && (
          <Figure
            label={t("report.cost")}
            value={format.money(cost.cost, cost.currency)}
            more={
              cost.refunded > 0
                ? t("report.refunded", { price: format.money(cost.refunded, cost.currency) })
                : delivered > 0
                  ? t("report.each", { price: format.money(cost.cost / delivered, cost.currency) })
                  : undefined
            }
          />
        )}
      </dl>
      <Text size="xs" c="dimmed" mt="xs">
        {t("report.of", { count: meant, number: number(meant) })}{" "}
        {cost && account && (
          <Anchor
            component={Link}
            to={`/accounts/${account.uuid}`}
            size="xs"
            underline="always"
            className={classes.onScreen}
          >
            {t("report.ledger")}
          </Anchor>
        )}
      </Text>
    </Paper>
  );
}

function Figure(props: { label: string; value: string; more?: ReactNode; tone?: "bad" | undefined }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd data-tone={props.tone}>{props.value}</dd>
      {props.more && <dd className={classes.more}>{props.more}</dd>}
    </div>
  );
}
