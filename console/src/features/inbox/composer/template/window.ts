import type { Account, Chat } from "../../model";

const WINDOW_MS = 24 * 3_600_000;

/** Whether a person may be written to without a template: until when, since when no more, or not known. */
export type Window =
  { state: "open"; until: number } | { state: "closed"; since: string } | { state: "unknown" };

/**
 * Returns the window in which WhatsApp Cloud takes texts: 24 hours from the last message that came in. Null: the account
 * knows no such window.
 */
export function windowOf({ driver }: Account, chat: Chat | null, now: number): Window | null {
  if (driver !== "whatsapp_cloud") return null;
  const last = chat?.lastIncomingAt;
  if (!last) return { state: "unknown" };
  const until = Date.parse(last) + WINDOW_MS;
  return until > now ? { state: "open", until } : { state: "closed", since: last };
}

/** Returns the parameters of a template: each line is one, and lines without text at the end are none. */
export function paramsOf(lines: string): string[] {
  const trimmed = lines.split("\n").map((line) => line.trim());
  while (trimmed.at(-1) === "") trimmed.pop();
  return trimmed;
}
