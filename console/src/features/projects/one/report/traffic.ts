import type { Interval } from "../../../../gql/graphql";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** About so many columns are still told apart on a phone. */
const MOST = 96;

/** Returns the intervals that a project's time is drawn in. */
export function intervalOf(from: number, until: number): Interval {
  const span = until - from;
  if (span <= MOST * 15 * MINUTE) return "quarterHour";
  if (span <= MOST * HOUR) return "hour";
  return span <= MOST * DAY ? "day" : "week";
}

/** Returns whether all of a project's time is in one column, before the server has counted. */
export function isOneColumn(from: number, until: number): boolean {
  const width = 15 * MINUTE;
  return intervalOf(from, until) === "quarterHour" && Math.floor(from / width) === Math.floor(until / width);
}

export interface Column {
  from: number;
  sent: number;
  delivered: number;
  failed: number;
}

/** Returns the columns without the empty ones before the first message and after the last one. */
export function busyColumns(columns: readonly Column[]): Column[] {
  const isBusy = ({ sent, delivered, failed }: Column) => sent + delivered + failed > 0;
  const first = columns.findIndex(isBusy);
  const last = columns.findLastIndex(isBusy);
  return first < 0 ? [] : columns.slice(first, last + 1);
}

/** Returns a round number that is at least `value`, for the top of a scale. */
export function topOf(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}
