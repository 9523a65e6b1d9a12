import { Group, Loader, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { SegmentFilter } from "../../../gql/graphql";
import { TrySegment } from "./documents";
import classes from "../contacts.module.css";

const TYPING_MS = 500;

interface Props {
  /** null: it is not complete */
  filter: SegmentFilter | null;
  /** whether a refusal is said elsewhere */
  quiet: boolean;
}

/** How many contacts meet the conditions now, and the newest of them. */
export function SizeNow({ filter, quiet }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const typed = JSON.stringify(filter);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const asked = JSON.parse(settled) as SegmentFilter | null;
  const pause = !asked || !filter;
  const input = { filter: asked ?? { all: [] } };
  const { data, current, problem, loading, reload } = useLoaded(TrySegment, { input }, pause);
  const preview = data?.segmentPreview;
  const waiting = !pause && (typed !== settled || loading);
  if (pause) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {t(filter ? "common.loading" : "segments.incomplete")}
      </Text>
    );
  }
  if (problem && !waiting) return quiet ? null : <ProblemNotice problem={problem} onRetry={reload} />;
  const names = preview?.sample.map(
    ({ name, addresses }) => name || addresses[0]?.address || t("contacts.nameless"),
  );
  return (
    <div role="status" aria-busy={waiting}>
      <Group gap={8}>
        <Text size="sm" fw={600}>
          {waiting || !preview || !current
            ? t("segments.counting")
            : t("segments.sizeNow", { count: preview.size, number: format.number(preview.size) })}
        </Text>
        {waiting && <Loader size={12} aria-hidden />}
      </Group>
      {!waiting && current && names && names.length > 0 && (
        <Text size="xs" c="dimmed" className={classes.anywhere}>
          {t("segments.newest", { names: names.join(", ") })}
        </Text>
      )}
    </div>
  );
}
