import type { Interval, ProjectChannel } from "../../gql/graphql";

export const RANGES = ["day", "week", "month"] as const;
export type Range = (typeof RANGES)[number];

export const CHANNELS: readonly ProjectChannel[] = ["sms", "email", "push", "telegram", "whatsapp"];

export const TIMEZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const HOUR = 3_600_000;
const SHAPES: Record<Range, { interval: Interval; back: number }> = {
  day: { interval: "hour", back: 23 * HOUR },
  week: { interval: "hour", back: (7 * 24 - 1) * HOUR },
  month: { interval: "day", back: 29 * 24 * HOUR },
};

export function rangeOf(text: string | null): Range {
  return RANGES.find((range) => range === text) ?? "day";
}

/** Returns the first interval's start. It moves only once an hour, so that the query stays the same until then. */
export function periodOf(range: Range, now: number): { interval: Interval; from: string } {
  const { interval, back } = SHAPES[range];
  const start = new Date(now - back);
  start.setMinutes(0, 0, 0);
  if (interval === "day") start.setHours(0);
  return { interval, from: start.toISOString() };
}

/** Returns the variables of the page's numbers; `channel` is what the address says. */
export function trafficOf(range: Range, channel: string | null, now: number) {
  const known = CHANNELS.find((name) => name === channel) ?? null;
  return { ...periodOf(range, now), timezone: TIMEZONE, channel: known };
}
