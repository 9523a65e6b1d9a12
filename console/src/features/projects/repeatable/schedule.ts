import type { ScheduleInput } from "../../../gql/graphql";

export const FREQUENCIES = ["day", "workday", "week", "month", "cron"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

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
  timezone: string;
}

/** Returns the schedule to save: cron, which people and the API both read. */
export function scheduleOf(plan: Plan): ScheduleInput {
  const [hour = 0, minute = 0] = plan.at.split(":").map(Number);
  const days: Record<Exclude<Frequency, "cron">, string> = {
    day: "* * *",
    workday: "* * 1-5",
    week: `* * ${plan.weekday % 7}`,
    month: `${plan.monthday} * *`,
  };
  const cron = plan.frequency === "cron" ? plan.cron.trim() : `${minute} ${hour} ${days[plan.frequency]}`;
  return { cron, timezone: plan.timezone, misfire: "skip" };
}

/** Recognizes a schedule that the form could have made; null for any other. */
export function planOf(cron: string, timezone: string): Plan | null {
  const match = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-7])$/.exec(cron.trim());
  if (!match) return null;
  const [, minute = "0", hour = "0", monthday = "*", weekday = "*"] = match;
  const plan: Plan = {
    frequency: "day",
    weekday: 1,
    monthday: 1,
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
