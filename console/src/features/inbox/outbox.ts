import { NETWORK, type Problem } from "../../frame/api/errors";
import type { Message } from "./model";

export interface SentFile {
  uuid: string;
  name: string;
  kind: "image" | "video" | "audio" | "voice" | "file";
}

/** A message that this page sends: it is shown until the server shows it. */
export interface Outgoing {
  key: string;
  text: string;
  files: SentFile[];
  replyTo: string | null;
  /** the failed message of which this one is a repetition */
  repeats: string | null;
  at: string;
  /** the messages that were there before, so that an earlier one with the same text is not taken for it */
  before: ReadonlySet<string>;
  /** the id that the server has sent */
  item: string | null;
  problem: Problem | null;
}

// After these the same request with the same key is safe, and may have another result.
const SAME_KEY = new Set([
  NETWORK,
  "messenger_unavailable",
  "flood_wait",
  "uncertain",
  "wrong_state",
  "idempotency_in_flight",
  "rate_limited",
  "internal_error",
]);

/** Returns whether trying again must use the same key. A refusal is final: the same key only repeats it. */
export function keepsKey(problem: Problem): boolean {
  return SAME_KEY.has(problem.code) || /^http_5/.test(problem.code);
}

/** Sorts out which messages of the server are those that this page is sending. */
export function together(
  messages: readonly Message[],
  outbox: readonly Outgoing[],
): { messages: Message[]; outbox: Outgoing[] } {
  const taken = new Set<string>();
  const hidden = new Set<string>();
  const left: Outgoing[] = [];
  for (const entry of outbox) {
    const same = messages.find((message) => !taken.has(message.uuid) && isSame(message, entry));
    if (same) taken.add(same.uuid);
    if (same && same.status !== "pending" && same.status !== "errored") continue;
    if (same) hidden.add(same.uuid);
    left.push(entry);
  }
  return { messages: messages.filter(({ uuid }) => !hidden.has(uuid)), outbox: left };
}

function isSame(message: Message, entry: Outgoing): boolean {
  if (entry.item) return message.uuid === entry.item;
  return (
    message.outgoing &&
    !entry.before.has(message.uuid) &&
    message.text === entry.text &&
    message.content.length === entry.files.length
  );
}
