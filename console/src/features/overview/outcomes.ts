import type { OutcomesQuery, ProjectChannel } from "../../gql/graphql";
import { CHANNELS } from "./range";

export type Outcome = NonNullable<OutcomesQuery["statisticsOutcomes"]>["items"][number];

/** The ends that a message can have now. Each message has exactly one of them, so that together they are all messages. */
export const ENDS = ["delivered", "accepted", "underway", "failed", "unknown", "unsent"] as const;
export type End = (typeof ENDS)[number];
export type Numbers = Record<End | "total", number>;

/** The states of the lists that are one end. */
const STATES = {
  delivered: ["delivered", "read"],
  accepted: ["sent"],
  underway: ["queued", "sending", "sent"],
  failed: ["failed"],
  unknown: ["unknown"],
  unsent: ["skipped", "canceled"],
} as const;
// The list of direct messages does not know these states.
const OF_PROJECTS: readonly string[] = ["read", "skipped"];

export const KINDS = ["direct", "project"] as const;
export type Kind = (typeof KINDS)[number];

const NONE: Numbers = { total: 0, delivered: 0, accepted: 0, underway: 0, failed: 0, unknown: 0, unsent: 0 };

/** Returns the numbers that are shown: without those that most installations never have. */
export function endsOf(numbers: Numbers): (End | "total")[] {
  const hidden: readonly string[] = [
    ...(numbers.unsent > 0 ? [] : ["unsent"]),
    // Where no channel reports delivery, "Delivered 0" says nothing.
    ...(numbers.accepted > 0 ? (numbers.delivered > 0 ? [] : ["delivered"]) : ["accepted"]),
  ];
  return (["total", ...ENDS] as const).filter((end) => !hidden.includes(end));
}

type Silent = ReadonlySet<string>;
const ALL_REPORT: Silent = new Set();

/**
 * Adds up the numbers of these messages. `silent`: the channels that report no delivery, whose accepted messages have
 * arrived as far as can be known, and are not on the way.
 */
export function numbersOf(outcomes: readonly Outcome[], silent: Silent = ALL_REPORT): Numbers {
  const sum = { ...NONE };
  for (const outcome of outcomes) {
    const other = silent.has(outcome.channel) ? "underway" : "accepted";
    sum.total += outcome.total;
    for (const end of ENDS) {
      for (const state of STATES[end]) if (end !== other || state !== "sent") sum[end] += outcome[state];
    }
  }
  return sum;
}

/**
 * Returns the address of the list that has these messages: those created since a time that have ended so. Without a
 * channel, those on the way are listed for the channels that report delivery; the others have none but for a moment.
 */
export function listOf(
  kind: Kind,
  end: End | "total",
  from: string,
  channel: ProjectChannel | null,
  silent: Silent = ALL_REPORT,
): string {
  const params = new URLSearchParams();
  if (kind === "project") params.set("kind", "project");
  if (end !== "total") {
    const known = STATES[end].filter((state) => kind === "project" || !OF_PROJECTS.includes(state));
    const isSilent = channel !== null && silent.has(channel);
    const states = end === "underway" && isSilent ? known.filter((state) => state !== "sent") : known;
    params.set("status", states.join(","));
  }
  if (channel) params.set("channel", channel);
  else if (silent.size > 0 && (end === "accepted" || end === "underway")) {
    params.set("channel", CHANNELS.filter((name) => silent.has(name) === (end === "accepted")).join(","));
  }
  params.set("direction", "outbound");
  params.set("from", from);
  return `/messages?${params.toString()}`;
}

export interface Cause {
  kind: Kind;
  code: string;
  count: number;
}

/** Groups failed messages by why they failed, the most frequent cause first. */
export function causesOf(failed: Record<Kind, readonly { failureCode: string | null }[]>): Cause[] {
  const causes = new Map<string, Cause>();
  for (const kind of KINDS) {
    for (const { failureCode } of failed[kind]) {
      if (!failureCode) continue;
      const key = `${kind} ${failureCode}`;
      const cause = causes.get(key) ?? { kind, code: failureCode, count: 0 };
      causes.set(key, { ...cause, count: cause.count + 1 });
    }
  }
  return [...causes.values()].sort((a, b) => b.count - a.count);
}
