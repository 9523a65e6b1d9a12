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

export const THROUGH = ["email", "sms", "push"] as const;
export type Through = (typeof THROUGH)[number];

/** Returns the recipient for which this happens. */
export function recipientOf(effect: Effect, through: Through): string {
  if (through === "email") return `${effect}@sandbox.postern.test`;
  if (through === "push") return `sandbox-${effect}`;
  return `+1500555${String(EFFECTS.indexOf(effect) * 10).padStart(4, "0")}`;
}

/** Returns the address of the dialog that sends a message to a recipient. */
export function sendTo(recipient: string, through: Through): string {
  return `/messages?${new URLSearchParams({ send: "1", through, recipient }).toString()}`;
}
