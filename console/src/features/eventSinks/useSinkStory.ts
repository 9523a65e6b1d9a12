import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import type { SinkFragment } from "../../gql/graphql";

/** Says in a sentence or two what a sink does, and what happens next. */
export function useSinkStory(): (sink: SinkFragment) => string {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  return (sink) => {
    const parts: string[] = [];
    if (!sink.enabled) {
      const reason = sink.disabledReason ?? "";
      parts.push(textOr(`eventSinks.offBecause.${reason}`, reason));
    } else if (sink.failures > 0) {
      parts.push(
        t("eventSinks.story.failing", {
          count: sink.failures,
          number: format.number(sink.failures),
          error: sink.lastError ?? "",
        }),
      );
      if (sink.failingSince) {
        parts.push(t("eventSinks.story.since", { time: format.time(sink.failingSince) }));
      }
      if (sink.nextAt) parts.push(t("eventSinks.story.next", { time: format.time(sink.nextAt) }));
    }
    if (sink.publishedAt) {
      parts.push(t("eventSinks.story.published", { time: format.time(sink.publishedAt) }));
    } else {
      parts.push(t("eventSinks.story.untried"));
    }
    const missed = sink.status?.missed ?? 0;
    if (missed > 0) {
      parts.push(t("eventSinks.story.missed", { count: missed, number: format.number(missed) }));
    }
    return parts.filter(Boolean).join(" ");
  };
}
