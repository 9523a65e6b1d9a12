import { Alert, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import type { DeliverabilityByProviderQuery } from "../../gql/graphql";
import { DeliverabilityByProvider } from "./documents";
import { ProjectTable } from "./ProjectTable";
import { ProviderTable, type Provider } from "./ProviderTable";
import { Receivers } from "./Receivers";
import { RANGES, rangeOf, startOf } from "./range";

type DegradedProvider = NonNullable<DeliverabilityByProviderQuery["deliverability"]>["degraded"][number];

const REFRESH_MS = 60_000;
const NONE: Provider[] = [];
const NO_PROJECTS: never[] = [];

/** The emails of a period by mailbox provider: what came back, and what was reported as spam. */
export default function DeliverabilityPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const range = rangeOf(params.get("range"));
  const [now, setNow] = useState(() => Date.now());
  const loaded = useLoaded(DeliverabilityByProvider, { from: startOf(range, now) });
  usePageTitle(t("nav.deliverability"));
  useVisibleInterval(() => {
    setNow(Date.now());
    loaded.reload();
  }, REFRESH_MS);
  // Numbers of another period never stand below the name of this one.
  const answer = loaded.current ? loaded.data?.deliverability : null;
  const items = answer?.items ?? NONE;
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.deliverability")} about={t("deliverability.about")}>
        <SegmentedControl
          size="xs"
          aria-label={t("deliverability.range")}
          value={range}
          onChange={(value) => setParams(value === "week" ? {} : { range: value }, { replace: true })}
          data={RANGES.map((value) => ({ value, label: t(`deliverability.ranges.${value}`) }))}
        />
      </PageHead>
      {loaded.problem && <ProblemNotice problem={loaded.problem} onRetry={loaded.reload} />}
      {answer?.degraded.map((row) => (
        <Degraded key={row.providerClass + row.createdAt} row={row} />
      ))}
      <Receivers />
      <Advice items={items} level="bad" color="red" />
      <Advice items={items} level="warning" color="yellow" />
      <Paper>
        <ProviderTable items={items} loading={!answer && !loaded.problem} problem={Boolean(loaded.problem)} />
      </Paper>
      {items.length > 0 && (
        <Text size="xs" c="dimmed">
          {t("deliverability.legend")}
        </Text>
      )}
      <ProjectTable items={(answer && loaded.data?.deliverabilityByProject?.items) ?? NO_PROJECTS} />
    </Stack>
  );
}

/** A provider that has refused the sender, or has many complaints, within a day. */
function Degraded({ row }: { row: DegradedProvider }) {
  const { t } = useTranslation();
  const format = useFormat();
  const provider = t(`deliverability.providers.${row.providerClass}`);
  return (
    <Alert color="red" variant="light" title={t("deliverability.degraded.title", { provider })}>
      {t("deliverability.degraded.text", {
        time: format.time(row.createdAt),
        accepted: format.number(row.accepted),
        policy: format.number(row.policy),
        complaints: format.number(row.complaints),
      })}
    </Alert>
  );
}

/** What to do about the providers whose recipients complain. */
function Advice({ items, level, color }: { items: Provider[]; level: "warning" | "bad"; color: string }) {
  const { t } = useTranslation();
  const names = items
    .filter(({ complaintLevel }) => complaintLevel === level)
    .map(({ providerClass }) => t(`deliverability.providers.${providerClass}`));
  if (names.length === 0) return null;
  return (
    <Alert color={color} variant="light">
      {t(`deliverability.advice.${level}`, { providers: names.join(", ") })}
    </Alert>
  );
}
