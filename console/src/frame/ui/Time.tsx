import { useTranslation } from "../i18n";
import { Store, useStore } from "../store";
import { agoOf } from "../values/ago";
import { useFormat } from "../values/format";

const EVERY_MS = 20_000;

// One clock for all times of a page.
const clock = new Store(Date.now());
setInterval(() => {
  if (!document.hidden) clock.set(Date.now());
}, EVERY_MS);
document.addEventListener("visibilitychange", () => clock.set(Date.now()));

interface Props {
  value: string;
  /** the exact time, with its zone */
  full?: boolean;
  /** the time of the clock also for the last day: of a plan, or beside other times */
  exact?: boolean;
}

/** How long ago it was, of the last day; else a time in the viewer's zone. The exact one is in its tooltip. */
export function Time({ value, full = false, exact = false }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useStore(clock);
  const title = format.fullTime(value);
  const at = Date.parse(value);
  const shown = Math.max(now, Date.now() - EVERY_MS);
  // What has happened since the clock was last set is not in the future.
  const since = at <= Date.now() ? Math.min(at, shown) : at;
  const ago = exact ? null : agoOf(since, shown, format.ago, t("common.justNow"));
  return (
    <time dateTime={value} title={title}>
      {full ? title : (ago ?? format.time(value))}
    </time>
  );
}
