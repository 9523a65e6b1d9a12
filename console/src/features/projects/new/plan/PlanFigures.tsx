import { Paper, Table, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useCountryNames } from "../../../../frame/values/useCountryNames";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../../projects.module.css";
import type { Draft } from "../draft";
import type { ServerPlan } from "./plan";
import { useAbout } from "./useAbout";
import type { Plan } from "./usePlan";

interface Props {
  plan: ServerPlan;
  of: Plan;
  draft: Draft;
}

/** The plan in numbers: who gets it, what it costs, and when it is done. */
export function PlanFigures({ plan, of, draft }: Props) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const { account, trust, begins } = of;
  const isFree = useBilling() === "off";
  const follows = Boolean(draft.audience?.follows);
  const about = useAbout(plan.exact, follows);
  const skipped = plan.recipients - plan.toSend;
  const money = (amount: number) => format.money(amount, plan.cost?.currency ?? "");
  const atMost = trust?.atMost == null ? null : t("making.planAtMost", { value: money(trust.atMost) });
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("making.plan")}
      </Title>
      <div className={classes.tiles}>
        <Figure
          label={t("making.planRecipients")}
          value={follows ? about(format.number(plan.recipients)) : format.number(plan.recipients)}
        />
        <Figure label={t("making.planSent")} value={about(format.number(plan.toSend))} />
        <Figure
          label={t("making.planSkipped")}
          value={skipped === 0 && follows ? "0" : about(format.number(skipped))}
        />
        {!isFree && (
          <Figure
            label={t("making.planCost")}
            value={trust?.cost == null ? "–" : (follows && atMost) || about(money(trust.cost))}
            more={(!follows && atMost) || undefined}
          />
        )}
      </div>
      <dl className={classes.facts} style={{ marginBlockStart: "0.75rem" }}>
        <dt>{t("making.channel")}</dt>
        <dd>{textOr(`channels.${draft.channel}`, draft.channel)}</dd>
        {account && !isFree && (
          <>
            <dt>{t("making.account")}</dt>
            <dd>
              {account.name}: {format.money(account.balance, account.currency)}
            </dd>
          </>
        )}
        {plan.skipped.map(({ code, count }) => (
          <Fragment key={code}>
            <dt>{t("making.planSkipped")}</dt>
            <dd>
              {about(format.number(count))} · {textOr(`project.causes.${code}.what`, code)}
            </dd>
          </Fragment>
        ))}
        <dt>{t("making.planBegin")}</dt>
        <dd>{begins === null ? t("making.planNow") : format.fullTime(begins)}</dd>
        <dt>{t("making.planEnd")}</dt>
        <dd>
          {plan.endsAt
            ? `≈ ${format.fullTime(plan.endsAt)}`
            : plan.beginsAt && plan.limitedBy === "route"
              ? t("making.planFast")
              : "–"}
        </dd>
        {plan.limitedBy !== "route" && plan.perMinute != null && (
          <>
            <dt>{t("making.speed")}</dt>
            <dd>
              {t("project.perMinute", { number: format.number(plan.perMinute) })} ·{" "}
              {t(`making.limits.${plan.limitedBy}`)}
            </dd>
          </>
        )}
      </dl>
      {(plan.cost?.byCountry.length ?? 0) > 1 && (
        <Table verticalSpacing={4} mt="xs" aria-label={t("making.planCountries")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("making.planCountry")}</Table.Th>
              <Table.Th ta="right">{t("making.planMessages")}</Table.Th>
              {!isFree && <Table.Th ta="right">{t("making.planCost")}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.cost?.byCountry.map(({ country, messages, amount }) => (
              <Table.Tr key={country}>
                <Table.Td>{country === null ? t("making.planOthers") : nameOf(country)}</Table.Td>
                <Table.Td ta="right">{about(format.number(messages))}</Table.Td>
                {!isFree && <Table.Td ta="right">{about(money(amount))}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {!plan.exact && (
        <Text size="xs" c="dimmed" mt="xs">
          {follows
            ? t("following.planned")
            : t("making.planSample", { number: format.number(plan.examined) })}
        </Text>
      )}
      {(plan.cost?.parts ?? 1) > 1 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("making.planSegments", { number: format.number(plan.cost?.parts ?? 1) })}
        </Text>
      )}
    </Paper>
  );
}

function Figure({ label, value, more }: { label: string; value: string; more?: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" className={classes.value}>
        {value}
      </Text>
      {more && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </div>
  );
}
