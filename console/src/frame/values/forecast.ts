import { useTranslation } from "../i18n";
import { useFormat } from "./format";

interface Progress {
  perMinute: number;
  endsAt: string | null;
}

/** Returns a rate as people say it: two digits of it are known, and the others would look exact. */
export function roundRate(perMinute: number): number {
  if (perMinute < 10) return Math.round(perMinute * 10) / 10;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(perMinute)) - 1);
  return Math.round(perMinute / unit) * unit;
}

/** Says how fast a project sends and when it is done: "About 130,000 a minute, done 3:35." */
export function useForecast(): (progress: Progress | null | undefined) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (progress) => {
    if (!progress || progress.perMinute <= 0) {
      return progress?.endsAt ? t("forecast.done", { time: format.time(progress.endsAt) }) : "";
    }
    const number = format.number(roundRate(progress.perMinute));
    return progress.endsAt
      ? t("forecast.both", { number, time: format.time(progress.endsAt) })
      : t("forecast.rate", { number });
  };
}
