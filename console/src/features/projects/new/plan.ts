import { insideOf, type Week } from "./window";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE; // the clocks of all zones differ by whole quarters of an hour
const DAY = 24 * 60 * MINUTE;
const LONGEST_MINUTES = 120 * 24 * 60; // further ahead no estimate means anything

/** How fast messages leave, and what limits it. */
export interface Rate {
  /** null: as fast as the provider takes them */
  perMinute: number | null;
  perDay: number;
  limit: "project" | "senders" | "tariff" | "none";
}

export function rateOf(options: {
  perMinute: number | null;
  perAccountPerMinute: number | null;
  senders: number;
  tariffPerMinute: number;
  tariffPerDay: number;
}): Rate {
  const { perMinute, perAccountPerMinute, senders, tariffPerMinute, tariffPerDay } = options;
  const limits: [Rate["limit"], number][] = [["tariff", tariffPerMinute]];
  if (perMinute) limits.push(["project", perMinute]);
  if (perAccountPerMinute && senders > 0) limits.push(["senders", perAccountPerMinute * senders]);
  const [limit, lowest] = limits.reduce((least, one) => (one[1] < least[1] ? one : least));
  // A tariff of millions is no limit: the provider is slower.
  if (limit === "tariff" && lowest >= 100_000)
    return { perMinute: null, perDay: tariffPerDay, limit: "none" };
  return { perMinute: lowest, perDay: tariffPerDay, limit };
}

/** Returns the local time of an instant in a zone, as minutes since Monday 00:00. */
export function weekMinute(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const value = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(value("weekday"));
  return day * 1440 + Number(value("hour")) * 60 + Number(value("minute"));
}

export interface Finish {
  /** when the first message may leave; milliseconds */
  begins: number;
  ends: number;
}

/**
 * Estimates when all messages have left, or returns null if that is too far away or never.
 *
 * It walks through the quarters of an hour in which sending is allowed. The clocks of recipients are not considered,
 * and a change to summer time moves the estimate by up to an hour.
 */
export function finishOf(options: {
  count: number;
  rate: Rate;
  startsAt: number;
  week: Week | null;
  timezone: string;
}): Finish | null {
  const { count, rate, startsAt, week, timezone } = options;
  let left = count;
  let begins: number | null = null;
  let today = rate.perDay;
  const zero = weekMinute(startsAt, timezone);
  let at = startsAt;
  while (at < startsAt + LONGEST_MINUTES * MINUTE) {
    const next = (Math.floor(at / QUARTER) + 1) * QUARTER;
    const local = (zero + Math.floor((at - startsAt) / MINUTE)) % (7 * 1440);
    const cell = { day: Math.floor(local / 1440) + 1, hour: Math.floor((local % 1440) / 60) };
    const open = week ? isOpen(week, cell, local % 1440) : true;
    if (open && today > 0) {
      begins ??= at;
      const minutes = (next - at) / MINUTE;
      const most = Math.min(today, rate.perMinute === null ? Infinity : rate.perMinute * minutes);
      if (left <= most) {
        return { begins, ends: at + (rate.perMinute === null ? 0 : left / rate.perMinute) * MINUTE };
      }
      left -= most;
      today -= most;
    }
    at = next;
    if (at % DAY === 0) today = rate.perDay; // the tariff counts days of UTC
  }
  return null;
}

function isOpen(week: Week, cell: { day: number; hour: number }, minute: number): boolean {
  const inside = insideOf(week, cell);
  if (inside === 0 || inside >= 1) return inside >= 1;
  const yesterday = cell.day === 1 ? 7 : cell.day - 1;
  if (week.from < week.to) return minute >= week.from && minute < week.to;
  return (
    (week.days.includes(cell.day) && minute >= week.from) ||
    (week.days.includes(yesterday) && minute < week.to)
  );
}

export interface PlannedRecipient {
  address: string;
  name?: string | null;
  variables: unknown;
}

export interface Audience {
  /** how many recipients were looked at */
  looked: number;
  blocked: number;
  unreachable: number;
  lacking: number;
  /** how many recipients lack each variable */
  lacks: Record<string, number>;
}

/** Counts who would be skipped among these recipients. Each one is counted for one reason, as the server does it. */
export function audienceOf(
  recipients: readonly PlannedRecipient[],
  options: { channel: string; blocked: ReadonlySet<string>; required: readonly string[]; skip: boolean },
): Audience {
  const found: Audience = { looked: recipients.length, blocked: 0, unreachable: 0, lacking: 0, lacks: {} };
  for (const recipient of recipients) {
    const lacks = options.required.filter((name) => isEmpty(valueOf(recipient, name)));
    for (const name of lacks) found.lacks[name] = (found.lacks[name] ?? 0) + 1;
    if (options.blocked.has(recipient.address)) found.blocked += 1;
    else if (!reaches(options.channel, recipient.address)) found.unreachable += 1;
    else if (options.skip && lacks.length > 0) found.lacking += 1;
  }
  return found;
}

/** Returns how many of all recipients would get a message, judging by those that were looked at. */
export function willSend(audience: Audience, total: number): number {
  if (audience.looked === 0) return total;
  const skipped = audience.blocked + audience.unreachable + audience.lacking;
  return Math.round(total * (1 - skipped / audience.looked));
}

/** Whether the channel can reach such an address. */
export function reaches(channel: string, address: string): boolean {
  if (channel === "email") return /.@./.test(address);
  if (channel === "telegram") return /^([+@]|\d+$)/.test(address);
  return channel === "push" || address.startsWith("+");
}

function valueOf(recipient: PlannedRecipient, name: string): unknown {
  if (name === "name" && recipient.name) return recipient.name;
  return ((recipient.variables ?? {}) as Record<string, unknown>)[name];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** Returns the price of one message; undefined if the tariff has none. */
export function priceOf(prices: unknown, currency: string, channel: string): number | undefined {
  return (prices as Record<string, Record<string, number> | undefined> | undefined)?.[currency]?.[channel];
}
