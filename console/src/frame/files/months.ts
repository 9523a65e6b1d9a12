const LISTED = 24;

/** The newest months (UTC) as choices, the present one first: such as `2026-11` with its name in a language. */
export function lastMonths(language: string, now: Date): { value: string; label: string }[] {
  const names = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  return Array.from({ length: LISTED }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return { value: month.toISOString().slice(0, 7), label: names.format(month) };
  });
}
