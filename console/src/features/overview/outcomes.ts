import type { OutcomesQuery, ProjectChannel } from "../../gql/graphql";

export type Outcome = NonNullable<OutcomesQuery["statisticsOutcomes"]>["items"][number];

/** The ends that a message can have now. Each message has exactly one of them, so that together they are all messages. */
export const ENDS = ["delivered", "underway", "failed", "unknown", "unsent"] as const;
export type End = (typeof ENDS)[number];
export type Numbers = Record<End | "total", number>;

/** The states of the lists that are one end. */
const STATES = {
  delivered: ["delivered", "read"],
  underway: ["queued", "sending", "sent"],
  failed: ["failed"],
  unknown: ["unknown"],
  unsent: ["skipped", "canceled"],
} as const;
// The list of direct messages does not know these states.
const OF_PROJECTS: readonly string[] = ["read", "skipped"];

export const KINDS = ["direct", "project"] as const;
export type Kind = (typeof KINDS)[number];

const NONE: Numbers = { total: 0, delivered: 0, underway: 0, failed: 0, unknown: 0, unsent: 0 };

/** Adds up the numbers of these messages. */
export function numbersOf(outcomes: readonly Outcome[]): Numbers {
  const sum = { ...NONE };
  for (const outcome of outcomes) {
    sum.total += outcome.total;
    for (const end of ENDS) for (const state of STATES[end]) sum[end] += outcome[state];
  }
  return sum;
}

/** Returns the address of the list that has exactly these messages: those created since a time that have ended so. */
export function listOf(kind: Kind, end: End | "total", from: string, channel: ProjectChannel | null): string {
  const params = new URLSearchParams();
  if (kind === "project") params.set("kind", "project");
  if (end !== "total") {
    const states = STATES[end].filter((state) => kind === "project" || !OF_PROJECTS.includes(state));
    params.set("status", states.join(","));
  }
  if (channel) params.set("channel", channel);
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
