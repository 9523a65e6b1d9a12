import { Alert, Badge, Button, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { Figure, Figures } from "../../frame/ui/figures/Figures";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { RouteStateBadge } from "../../frame/ui/RouteStateBadge";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import { CATEGORIES } from "./draft";
import classes from "./routes.module.css";
import type { Trace, useTrace } from "./useTrace";

/** Says by which routes an SMS to a number would go, from which sender, and at which price. Nothing is sent. */
export function TraceBox({ form, trace, ask }: Omit<ReturnType<typeof useTrace>, "again">) {
  const { t } = useTranslation();
  return (
    <Paper p="sm" component="form" onSubmit={ask} noValidate aria-label={t("routes.traceTitle")}>
      <Stack gap="sm">
        <div>
          <Title order={2}>{t("routes.traceTitle")}</Title>
          <Text size="sm" c="dimmed">
            {t("routes.traceText")}
          </Text>
        </div>
        <div className={classes.fields}>
          <TextInput
            label={t("routes.number")}
            placeholder="+49 30 123456"
            inputMode="tel"
            maxLength={64}
            {...form.getInputProps("to")}
          />
          <Select
            label={t("routes.messages")}
            allowDeselect={false}
            data={CATEGORIES.map((value) => ({ value, label: t(`routes.categories.${value}`) }))}
            {...form.getInputProps("category")}
          />
          <TextInput
            label={t("routes.sender")}
            placeholder={t("routes.anySender")}
            maxLength={320}
            spellCheck={false}
            {...form.getInputProps("sender")}
          />
          <Button
            variant="default"
            size="sm"
            type="submit"
            loading={form.busy}
            disabled={!form.getValues().to.trim()}
            title={!form.getValues().to.trim() ? t("common.fillForm") : undefined}
          >
            {t("routes.trace")}
          </Button>
        </div>
        {form.problem && <ProblemNotice problem={form.problem} />}
        {trace && <Answer trace={trace} />}
      </Stack>
    </Paper>
  );
}

function Answer({ trace }: { trace: Trace }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const isFree = useBilling() === "off";
  const { to, country, waits, refusal, sender, senderWhy, price, currency, pricePrefix } = trace;
  return (
    <Stack gap="xs" role="status">
      <Title order={3}>{country === null ? to : `${to}: ${nameOf(country)}`}</Title>
      {refusal && (
        <Alert color="orange" title={t("routes.refused")}>
          <span lang="en">{refusal.message}</span>
        </Alert>
      )}
      {waits && (
        <Alert color="orange" title={t("routes.waits")}>
          <span lang="en">{waits.message}</span>
        </Alert>
      )}
      {/* Only administrators see the routes. */}
      {trace.candidates.length > 0 && <Candidates candidates={trace.candidates} />}
      <Figures>
        <Figure label={t("routes.sender")} wide>
          {sender ?? t("routes.sendersOwn")}
          <Text size="xs" c="dimmed" fw={400} lang="en">
            {senderWhy}
          </Text>
        </Figure>
        {!isFree && (
          <Figure label={t("routes.price")} wide>
            {price === null || currency === null ? "–" : format.exactMoney(price, currency)}
            {pricePrefix && (
              <Text size="xs" c="dimmed" fw={400}>
                {t("routes.pricePrefix", { prefix: `+${pricePrefix}` })}
              </Text>
            )}
          </Figure>
        )}
      </Figures>
    </Stack>
  );
}

/** The routes that are tried, numbered in their order, with those that are passed over. */
function Candidates({ candidates }: { candidates: Trace["candidates"] }) {
  const { t } = useTranslation();
  const tried = candidates.filter(({ use }) => use === "tried");
  return (
    <ol className={classes.candidates} aria-label={t("routes.order")}>
      {candidates.map((candidate) => {
        const { route, use, state, why } = candidate;
        return (
          <li key={route} data-passed={use === "tried" ? undefined : true}>
            <span>{use === "tried" ? `${tried.indexOf(candidate) + 1}.` : "–"}</span>
            <div>
              <div className={classes.candidate}>
                {use === "tried" ? <span>{route}</span> : <s>{route}</s>}
                {use === "tried" ? (
                  state && <RouteStateBadge state={state} />
                ) : (
                  <Badge variant="light" color="gray" tt="none" radius="sm" fw={500} miw="max-content">
                    {t(`routes.uses.${use}`)}
                  </Badge>
                )}
              </div>
              <Text size="xs" c="dimmed" lang="en">
                {why}
              </Text>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
