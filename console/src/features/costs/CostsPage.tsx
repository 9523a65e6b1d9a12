import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { PeriodFilter } from "../../frame/period/PeriodFilter";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { CostTabs } from "./CostTabs";
import classes from "./costs.module.css";
import { TrafficRows } from "./documents";
import { RouteCosts } from "./RouteCosts";
import { GROUP_NAMES, inputOf, parseSearch, searchParams, type Search } from "./search";
import { TrafficTable } from "./TrafficTable";

/** Costs that were set just now are in the rows within a minute. */
const COUNTED_MS = 30_000;

/** What messages were charged, what their routes cost, and the difference. */
export default function CostsPage() {
  const { t } = useTranslation();
  usePageTitle(t("nav.costs"));
  return (
    <AdminOnly>
      <Stack gap="sm">
        <PageHead title={t("nav.costs")} about={t("costs.about")} />
        <CostTabs />
        <Traffic />
        <RouteCosts />
      </Stack>
    </AdminOnly>
  );
}

function Traffic() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => Date.now());
  const search = parseSearch(params);
  const { data, problem, loading, reload } = useLoaded(TrafficRows, { input: inputOf(search, now) });
  useVisibleInterval(reload, COUNTED_MS);
  const change = (part: Partial<Search>) =>
    setParams(searchParams({ ...search, ...part }), { replace: true });
  return (
    <Stack gap={8}>
      <Group gap="xs">
        <PeriodFilter search={search} onChange={change} />
        <SegmentedControl
          className={classes.groups}
          size="xs"
          aria-label={t("costs.groupBy")}
          data={GROUP_NAMES.map((value) => ({ value, label: t(`costs.groups.${value}`) }))}
          value={search.group}
          onChange={(group) => change({ group })}
        />
      </Group>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!problem && <TrafficTable page={data?.traffic ?? null} group={search.group} loading={loading} />}
    </Stack>
  );
}
