import { Group, SegmentedControl, Text } from "@mantine/core";
import { IconClockHour4, IconTrophy } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { letterOf } from "../../new/text/variants";
import type { Project } from "../model";
import classes from "./report.module.css";
import { compare, type Verdict as Comparison } from "./significance";

const MEASURES = ["replied", "read", "delivered"] as const;
type Measure = (typeof MEASURES)[number];
type Results = NonNullable<Project["variantStatistics"]>;

/** Whether one variant is really better, by what people did: by answers if there are any, else by reads or deliveries. */
export function Verdict({ results }: { results: Results }) {
  const { t } = useTranslation();
  const possible = MEASURES.filter((measure) => results.some((result) => hitsOf(result, measure) > 0));
  const [chosen, setChosen] = useState<Measure | null>(null);
  const measure = chosen ?? possible[0];
  if (!measure) return null;
  const verdict = compare(
    results.map((result) => ({
      trials: result.counts.sent + result.counts.delivered + result.counts.read,
      hits: hitsOf(result, measure),
    })),
  );
  if (verdict.kind === "nothing") return null;
  const Icon = verdict.kind === "best" ? IconTrophy : IconClockHour4;
  return (
    <div className={classes.verdict} data-kind={verdict.kind}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <Icon size={18} aria-hidden />
        <Sentence verdict={verdict} results={results} measure={measure} />
      </Group>
      {possible.length > 1 && (
        <SegmentedControl
          size="xs"
          className={classes.onScreen}
          aria-label={t("report.compareBy")}
          value={measure}
          onChange={setChosen}
          data={possible.map((value) => ({ value, label: t(`report.measures.${value}`) }))}
        />
      )}
    </div>
  );
}

interface SentenceProps {
  verdict: Exclude<Comparison, { kind: "nothing" }>;
  results: Results;
  measure: Measure;
}

function Sentence({ verdict, results, measure }: SentenceProps) {
  const { t, language } = useTranslation();
  const format = useFormat();
  const letters = (places: readonly number[]) =>
    new Intl.ListFormat(language, { type: "conjunction" }).format(
      places.map((place) => letter(results, place)),
    );
  const share = (place: number) => {
    const result = results[place];
    if (!result) return "–";
    const accepted = result.counts.sent + result.counts.delivered + result.counts.read;
    return format.percent(hitsOf(result, measure) / accepted);
  };
  const best = letter(results, verdict.best);
  const what = t(`report.measures.${measure}`);
  const lines: string[] = [];
  if (verdict.kind === "best") {
    lines.push(
      t("report.winner", { best, others: letters(verdict.beaten) }),
      t("report.shares", {
        what,
        list: [verdict.best, ...verdict.beaten]
          .map((place) => `${letter(results, place)} ${share(place)}`)
          .join(", "),
      }),
      verdict.p < 0.001 ? t("report.chanceTiny") : t("report.chance", { share: format.percent(verdict.p) }),
    );
    if (verdict.open.length > 0) lines.push(t("report.open", { others: letters(verdict.open) }));
  } else if (verdict.kind === "few") {
    lines.push(t("report.early"), t("report.few", { number: format.number(verdict.needed) }));
  } else {
    const next = letter(results, verdict.next);
    lines.push(
      t("report.early"),
      verdict.needed === null
        ? t("report.alike", { best, next, what, share: share(verdict.best) })
        : t("report.missing", {
            what,
            list: `${best} ${share(verdict.best)}, ${next} ${share(verdict.next)}`,
            number: format.number(verdict.needed),
          }),
    );
  }
  return (
    <Text size="sm" role="status">
      <b>{lines[0]}</b> {lines.slice(1).join(" ")}
    </Text>
  );
}

function letter(results: Results, place: number): string {
  return letterOf(results[place]?.variant ?? place);
}

function hitsOf({ counts }: Results[number], measure: Measure): number {
  if (measure === "delivered") return counts.delivered + counts.read;
  return counts[measure];
}
