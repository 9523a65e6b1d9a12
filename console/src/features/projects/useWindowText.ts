import { useTranslation } from "../../frame/i18n";
import type { SendingWindow } from "./new/schedule/window";

/** Writes a sending window in words: "Mon–Fri, 09:00–18:00 (Europe/Berlin)". */
export function useWindowText(): (window: SendingWindow) => string {
  const { t, language } = useTranslation();
  const names = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const nameOf = (day: number) => names.format(Date.UTC(2024, 0, day)); // 1 January 2024 was a Monday
  return ({ days, from, to, timezone, recipientTimezone }) => {
    const zone = recipientTimezone ? t("project.recipientZone", { zone: timezone }) : timezone;
    return `${runsOf(days)
      .map(([first, last]) => (first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`))
      .join(", ")}, ${from}–${to} (${zone})`;
  };
}

/** Joins days that follow each other: [1, 2, 3, 6] becomes [[1, 3], [6, 6]]. */
export function runsOf(days: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}
