import { typedDrawer } from "../../../frame/memory";
import { Store, useStore } from "../../../frame/store";
import type { Message } from "../model";

/** What is written and not sent yet. It stays while somebody looks at other chats. */
export interface Draft {
  text: string;
  replyTo: Message | null;
}

const EMPTY: Draft = { text: "", replyTo: null };
const drafts = typedDrawer<Draft>();
// Addresses of persons whose chats became known, and the chats.
const moved = typedDrawer<string>();
const changes = new Store({});

function keyOf(account: string, chat: string): string {
  const key = `${account}/${chat}`;
  return moved.get(key) ?? key;
}

export function draftOf(account: string, chat: string): Draft {
  return drafts.get(keyOf(account, chat)) ?? EMPTY;
}

export function keepDraft(account: string, chat: string, draft: Draft): void {
  const key = keyOf(account, chat);
  if (draft.text || draft.replyTo) drafts.set(key, draft);
  else drafts.delete(key);
  changes.set({});
}

/** The person at `address` has a chat: what is written to the address is the draft of that chat from now on. */
export function moveDraft(account: string, address: string, chat: string): void {
  const from = `${account}/${address}`;
  const to = `${account}/${chat}`;
  const written = drafts.get(from);
  drafts.delete(from);
  moved.set(from, to);
  if (!written) return;
  const existing = drafts.get(to);
  drafts.set(
    to,
    existing ? { ...existing, text: [existing.text, written.text].filter(Boolean).join("\n") } : written,
  );
  changes.set({});
}

export function useDraft(account: string, chat: string): [Draft, (draft: Draft) => void] {
  useStore(changes);
  return [draftOf(account, chat), (draft) => keepDraft(account, chat, draft)];
}
