export const RANGES = ["day", "week", "month", "quarter"] as const;
export type Range = (typeof RANGES)[number];

const HOUR = 3_600_000;
const HOURS: Record<Range, number> = { day: 24, week: 7 * 24, month: 30 * 24, quarter: 90 * 24 };

export function rangeOf(text: string | null): Range {
  return RANGES.find((range) => range === text) ?? "week";
}

/** Returns the start of a period. It moves only once an hour, so that the query stays the same until then. */
export function startOf(range: Range, now: number): string {
  return new Date(Math.floor(now / HOUR) * HOUR - HOURS[range] * HOUR).toISOString();
}
