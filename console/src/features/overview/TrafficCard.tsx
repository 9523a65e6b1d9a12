import { Box, Group, Paper, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { Suspense, useMemo, useState } from "react";
import { lazyFile } from "../../frame/api/consoleFiles";
import { useTranslation } from "../../frame/i18n";
import type { TrafficQuery } from "../../gql/graphql";
import { useFormat } from "../../frame/values/format";
import { Time } from "../../frame/ui/Time";
import type { Range } from "./range";
import classes from "./overview.module.css";
import { KINDS, StateTable } from "./StateTable";

const Chart = lazyFile(() => import("./Chart").then(({ Chart }) => ({ default: Chart })));

type Item = NonNullable<TrafficQuery["statisticsGeneral"]>["items"][number];
const COLORS = {
  sent: { light: "#2777cc", dark: "#4f95dc" },
  delivered: { light: "#0c8f6b", dark: "#2fbf95" },
  failed: { light: "#d6336c", dark: "#f06595" },
  unknown: { light: "#b35c00", dark: "#f2a65a" },
};

interface Props {
  /** null before they are known */
  items: Item[] | null;
  range: Range;
}

const NONE: Item[] = [];

export function TrafficCard({ items: known, range }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const items = known ?? NONE;
  const [view, setView] = useState("chart");
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => items.map((item) => Date.parse(item.from) / 1000), [items]);
  const series = useMemo(
    () =>
      KINDS.map((kind) => ({
        label: t(`states.${kind}`),
        color: COLORS[kind],
        values: items.map((item) => item[kind]),
      })),
    [items, t],
  );
  const shown = hovered === null ? undefined : items[hovered];
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2}>{t("overview.traffic")}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t("overview.view")}
          value={view}
          onChange={setView}
          data={["chart", "table"].map((value) => ({
            value,
            label: t(`overview.views.${value as "chart"}`),
          }))}
        />
      </Group>
      {known === null ? (
        <Skeleton h={240} />
      ) : view === "chart" ? (
        <>
          <Group gap="md" mb={4} aria-hidden mih={20}>
            {KINDS.map((kind) => (
              <Group key={kind} gap={6}>
                <Box className={classes.swatch} bg={`var(--console-${kind})`} />
                <Text size="xs">
                  {t(`states.${kind}`)}
                  {shown && <b> {format.number(shown[kind])}</b>}
                </Text>
              </Group>
            ))}
            {shown && (
              <Text size="xs" c="dimmed">
                {range === "month" ? format.day(shown.from) : format.time(shown.from)}
              </Text>
            )}
          </Group>
          <Box mih={220}>
            <Suspense>
              <Chart times={times} series={series} label={t("overview.chartLabel")} onHover={setHovered} />
            </Suspense>
          </Box>
          <div className="visually-hidden">
            <Numbers items={items} range={range} />
          </div>
        </>
      ) : (
        <Box className={classes.scroll} tabIndex={0} role="region" aria-label={t("overview.traffic")}>
          <Numbers items={[...items].reverse()} range={range} />
        </Box>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {t("overview.trafficText")}
      </Text>
    </Paper>
  );
}

function Numbers({ items, range }: { items: Item[]; range: Range }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <StateTable
      head={t("overview.intervalStart")}
      rows={items.map((item) => ({
        key: item.from,
        counts: item,
        label: range === "month" ? format.day(item.from) : <Time value={item.from} exact />,
      }))}
    />
  );
}
