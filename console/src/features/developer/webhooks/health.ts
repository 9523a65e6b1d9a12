import type { HookFragment } from "../../../gql/graphql";

/** How a webhook is: what an on-call person wants to know first. */
export type Health = "off" | "failing" | "replaying" | "waiting" | "working" | "untried";

export const HEALTHS = ["failing", "off", "waiting", "replaying", "working", "untried"] as const;

type Known = Pick<HookFragment, "enabled" | "failures" | "replaying" | "waiting" | "deliveredAt">;

export function healthOf(hook: Known): Health {
  if (!hook.enabled) return "off";
  if (hook.failures > 0) return "failing";
  if (hook.replaying) return "replaying";
  if (hook.waiting > 0) return "waiting";
  return hook.deliveredAt ? "working" : "untried";
}

export const COLORS: Record<Health, string> = {
  off: "gray",
  failing: "red",
  replaying: "blue",
  waiting: "blue",
  working: "teal",
  untried: "gray",
};

/** Returns when a failed delivery is tried next: by its own time, and not while its endpoint waits as a whole. */
export function nextTry(
  hook: { nextAt: string | null },
  delivery: { state: string; attempts: number; nextAt: string | null },
): string | null {
  if (delivery.state !== "waiting" || delivery.attempts === 0) return null;
  const times = [hook.nextAt, delivery.nextAt].filter((time) => time !== null);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}
