import { sampleRecipient, type Effect } from "../../../frame/sandbox/samples";

export { EFFECTS } from "../../../frame/sandbox/samples";

export const THROUGH = ["email", "sms", "push"] as const;
export type Through = (typeof THROUGH)[number];

/** Returns the recipient for which this happens. */
export function recipientOf(effect: Effect, through: Through): string {
  return sampleRecipient(effect, through);
}

/** Returns the address of the dialog that sends a message to a recipient. */
export function sendTo(recipient: string, through: Through): string {
  return `/messages?${new URLSearchParams({ send: "1", through, recipient }).toString()}`;
}
