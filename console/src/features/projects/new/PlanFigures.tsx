import { Paper, Text, Title } from "@mantine/core";
import { useFormat } from "../../../frame/format";
import { useTranslation } from "../../../frame/i18n";
import classes from "../projects.module.css";
import type { Draft } from "./draft";
import type { Plan } from "./usePlan";

/** The plan in numbers: who gets it, what it costs, and when it is done. */
export function PlanFigures({ plan, draft }: { plan: Plan; draft: Draft }) {
  const { t, known } = useTranslation();
  const format = useFormat();
  const { audience, finish, rate } = plan;
  const about = plan.complete ? "" : "≈ ";
  const skips = audience
    ? (
        [
          ["blocked", audience.blocked],
          ["unreachable", audience.unreachable],
          ["lacking", audience.lacking],
        ] as const
      ).filter(([, count]) => count > 0)
    : [];
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("making.plan")}
      </Title>
      <div className={classes.tiles}>
        <Figure label={t("making.planRecipients")} value={format.number(plan.total)} />
        <Figure label={t("making.planSent")} value={about + format.number(plan.sent)} />
        <Figure label={t("making.planSkipped")} value={about + format.number(plan.total - plan.sent)} />
        <Figure label={t("making.planCost")} value={plan.costText ? `≈ ${plan.costText}` : "–"} />
      </div>
      <dl className={classes.facts} style={{ marginBlockStart: "0.75rem" }}>
        <dt>{t("making.channel")}</dt>
        <dd>{known(`channels.${draft.channel}`, draft.channel)}</dd>
        {plan.account && (
          <>
            <dt>{t("making.account")}</dt>
            <dd>
              {plan.account.name}: {format.money(plan.account.balance, plan.account.currency)}
            </dd>
          </>
        )}
        {skips.length > 0 && (
          <>
            <dt>{t("making.planSkipped")}</dt>
            <dd>
              {skips
                .map(([kind, count]) => t(`making.skips.${kind}`, { count, number: format.number(count) }))
                .join(", ")}
            </dd>
          </>
        )}
        <dt>{t("making.planBegin")}</dt>
        <dd>{plan.begins === null ? t("making.planNow") : format.fullTime(plan.begins)}</dd>
        <dt>{t("making.planEnd")}</dt>
        <dd>
          {!finish || plan.sent === 0
            ? "–"
            : rate?.perMinute
              ? `≈ ${format.fullTime(finish.ends)}`
              : t("making.planFast")}
        </dd>
      </dl>
      {!plan.complete && audience && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("making.planSample", { number: format.number(audience.looked) })}
        </Text>
      )}
      {plan.segments > 1 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("making.planSegments", { count: plan.segments })}
        </Text>
      )}
    </Paper>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" className={classes.value}>
        {value}
      </Text>
    </div>
  );
}
