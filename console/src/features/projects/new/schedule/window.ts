import type { SendingWindowInput } from "../../../../gql/graphql";

/** A window as the API answers it. */
export interface SendingWindow {
  timezone: string;
  days: readonly number[];
  from: string;
  to: string;
  recipientTimezone: boolean;
}

/** When messages may be sent, as it is drawn on a week. */
export interface Week {
  /** 1 is Monday, 7 is Sunday */
  days: number[];
  /** minutes since midnight */
  from: number;
  /** minutes since midnight, up to 1440; not after `from`: until that time of the next day */
  to: number;
}

export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
export const WORKDAYS: Week = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 };

export interface Cell {
  day: number;
  hour: number;
}

/** The week that a stroke from one cell to another draws: a rectangle, because all days have the same hours. */
export function weekBetween(a: Cell, b: Cell): Week {
  const first = Math.min(a.day, b.day);
  const last = Math.max(a.day, b.day);
  return {
    days: DAYS.filter((day) => day >= first && day <= last),
    from: Math.min(a.hour, b.hour) * 60,
    to: (Math.max(a.hour, b.hour) + 1) * 60,
  };
}

/** Returns how much of an hour is inside: 0 nothing, 1 all of it. */
export function insideOf(week: Week, { day, hour }: Cell): number {
  const begin = hour * 60;
  const overlap = (from: number, to: number) =>
    Math.max(0, Math.min(to, begin + 60) - Math.max(from, begin)) / 60;
  if (week.from < week.to) return week.days.includes(day) ? overlap(week.from, week.to) : 0;
  // It crosses midnight: the evening belongs to the day, and the morning to the day before.
  const evening = week.days.includes(day) ? overlap(week.from, 1440) : 0;
  const morning = week.days.includes(day === 1 ? 7 : day - 1) ? overlap(0, week.to) : 0;
  return evening + morning;
}

export function toggled(week: Week, day: number): Week {
  const days = week.days.includes(day) ? week.days.filter((item) => item !== day) : [...week.days, day];
  return { ...week, days: days.sort((a, b) => a - b) };
}

export function weekOf(window: Pick<SendingWindow, "days" | "from" | "to">): Week {
  const days = window.days.length > 0 ? [...window.days] : [...DAYS];
  return { days: days.sort((a, b) => a - b), from: minutesOf(window.from) % 1440, to: minutesOf(window.to) };
}

export function windowOf(week: Week, timezone: string, recipientTimezone: boolean): SendingWindowInput {
  return { timezone, recipientTimezone, days: week.days, from: clockOf(week.from), to: clockOf(week.to) };
}

export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return Math.min(1440, Math.max(0, hours * 60 + minutes));
}

/** Writes minutes as "09:30". Midnight at the end of a day is "24:00". */
export function clockOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
