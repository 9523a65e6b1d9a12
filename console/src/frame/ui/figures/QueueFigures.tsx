import type { QueueFieldsFragment } from "../../../gql/graphql";
import { useFormat } from "../../values/format";
import { useTranslation } from "../../i18n";
import { Figure, Figures } from "./Figures";

/** What waits in the queue of projects, and how fast it leaves; for administrators also direct messages. */
export function QueueFigures({ queue, large }: { queue: QueueFieldsFragment; large?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Figures large={large ?? false}>
      <Figure label={t("overview.waiting")}>{format.number(queue.queued)}</Figure>
      <Figure label={t("overview.sending")}>{format.number(queue.sending)}</Figure>
      <Figure label={t("overview.oldest")}>
        {queue.oldestQueuedSeconds > 0 ? format.duration(queue.oldestQueuedSeconds) : "–"}
      </Figure>
      {queue.directQueued !== null && (
        <>
          <Figure label={t("overview.directWaiting")}>{format.number(queue.directQueued)}</Figure>
          <Figure label={t("overview.directOldest")}>
            {queue.directOldestSeconds ? format.duration(queue.directOldestSeconds) : "–"}
          </Figure>
        </>
      )}
      <Figure label={t("overview.perMinute")}>{format.number(queue.perMinute)}</Figure>
    </Figures>
  );
}
