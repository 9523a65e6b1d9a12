/** The magic recipients of the sandbox channel, by what happens (docs/channels.md). */

export const EFFECTS = [
  "delivered",
  "failed",
  "bounced",
  "flaky",
  "throttled",
  "timeout",
  "slow",
  "silent",
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Returns the recipient for which this happens; `number` makes another one with the same effect. */
export function sampleRecipient(effect: Effect, channel: string, number = 0): string {
  if (channel === "email") return `${effect}${number > 0 ? `+${number}` : ""}@sandbox.postern.test`;
  if (channel === "push") return `sandbox-${effect}${number > 0 ? `-${number}` : ""}`;
  return `+1500555${String(EFFECTS.indexOf(effect) * 10 + number).padStart(4, "0")}`;
}

/** Returns a list for a first campaign: most are delivered, and one each fails, bounces and is tried twice. */
export function sampleList(channel: string): string[] {
  const delivered = [0, 1, 2, 3, 4, 5, 6].map((number) => sampleRecipient("delivered", channel, number));
  return [
    ...delivered,
    ...(["failed", "bounced", "flaky"] as const).map((one) => sampleRecipient(one, channel)),
  ];
}
