import type { SinkFragment } from "../../gql/graphql";

/** How a sink is: what an on-call person wants to know first. */
export type Health = "off" | "failing" | "replaying" | "behind" | "working" | "untried";

type Known = Pick<SinkFragment, "enabled" | "failures" | "publishedAt" | "status">;

/** Events that a sink which keeps up may have before it at a moment. */
const FEW = 1000;

export function healthOf({ enabled, failures, publishedAt, status }: Known): Health {
  if (!enabled) return "off";
  if (failures > 0) return "failing";
  if (status?.replaying) return "replaying";
  if ((status?.lag ?? 0) > FEW) return "behind";
  return publishedAt ? "working" : "untried";
}

export const COLORS: Record<Health, string> = {
  off: "gray",
  failing: "red",
  replaying: "blue",
  behind: "orange",
  working: "teal",
  untried: "gray",
};
