import type { Conversation } from "./conversation";

const PAGE = 100;
const MOST = 5000; // messages that are loaded to show an old one

/** Loads older messages until this one is there. Returns whether it is. */
export async function reach(conversation: Conversation, uuid: string): Promise<boolean> {
  for (;;) {
    const { messages, whole, hasOlder, missing, olderProblem } = conversation.state.get();
    if (messages.some((message) => message.uuid === uuid)) return true;
    if (whole || missing || !hasOlder || olderProblem || messages.length >= MOST) return false;
    const before = messages.length;
    await conversation.older(PAGE);
    if (conversation.state.get().messages.length === before) return false;
  }
}
