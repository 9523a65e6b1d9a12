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
