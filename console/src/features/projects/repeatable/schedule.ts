import type { Misfire, ScheduleInput } from "../../../gql/graphql";

export const FREQUENCIES = ["day", "workday", "week", "month", "cron"] as const;
export type Frequency = (typeof FREQUENCIES)[number] | "rrule";

/** A schedule as the form has it. */
export interface Plan {
  frequency: Frequency;
  /** 1 is Monday; for a weekly schedule */
  weekday: number;
  /** for a monthly schedule */
  monthday: number;
  /** "09:00" */
  at: string;
  cron: string;
  /** a rule of RFC 5545, which only the API can make; it stays while the schedule is "rrule" */
  rrule: string | null;
  timezone: string;
  startAt: string | null;
  endAt: string | null;
  maxRuns: number | null;
  misfire: Misfire;
}

/** The schedule that the form begins with. */
export function firstPlan(): Plan {
  return {
    frequency: "workday",
    weekday: 1,
    monthday: 1,
    at: "09:00",
    cron: "0 9 * * 1-5",
    rrule: null,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    startAt: null,
    endAt: null,
    maxRuns: null,
    misfire: "skip",
  };
}

interface SavedSchedule {
  rrule?: string | null;
  cron?: string | null;
  timezone: string;
  startAt?: string | null;
  endAt?: string | null;
  maxRuns?: number | null;
  misfire: Misfire;
}

/** Returns a saved schedule as the form has it. What the form can't show by its fields is a cron expression. */
export function planOfSchedule(schedule: SavedSchedule): Plan {
  const { timezone, misfire, cron, rrule } = schedule;
  const plan = cron ? planOf(cron, timezone) : null;
  return {
    ...firstPlan(),
    ...(plan ?? { frequency: rrule ? "rrule" : "cron", cron: cron ?? "" }),
    rrule: rrule ?? null,
    timezone,
    misfire,
    startAt: schedule.startAt ?? null,
    endAt: schedule.endAt ?? null,
    maxRuns: schedule.maxRuns ?? null,
  };
}

/** Returns the schedule to save: cron, which people and the API both read. */
export function scheduleOf(plan: Plan): ScheduleInput {
  const [hour = 0, minute = 0] = plan.at.split(":").map(Number);
  const { timezone, startAt, endAt, maxRuns, misfire } = plan;
  const common = { timezone, startAt, endAt, maxRuns, misfire };
  if (plan.frequency === "rrule") return { rrule: plan.rrule, ...common };
  const days: Record<Exclude<Frequency, "cron" | "rrule">, string> = {
    day: "* * *",
    workday: "* * 1-5",
    week: `* * ${plan.weekday % 7}`,
    month: `${plan.monthday} * *`,
  };
  const cron = plan.frequency === "cron" ? plan.cron.trim() : `${minute} ${hour} ${days[plan.frequency]}`;
  return { cron, ...common };
}

/** Recognizes a schedule that the form could have made; null for any other. */
export function planOf(cron: string, timezone: string): Plan | null {
  const match = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-7])$/.exec(cron.trim());
  if (!match) return null;
  const [, minute = "0", hour = "0", monthday = "*", weekday = "*"] = match;
  const plan: Plan = {
    ...firstPlan(),
    frequency: "day",
    at: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
    cron,
    timezone,
  };
  if (monthday !== "*")
    return weekday === "*" ? { ...plan, frequency: "month", monthday: Number(monthday) } : null;
  if (weekday === "1-5") return { ...plan, frequency: "workday" };
  if (weekday !== "*") return { ...plan, frequency: "week", weekday: Number(weekday) || 7 };
  return plan;
}
