import { kept, typedDrawer } from "../../../frame/memory";
import { Store, useStore } from "../../../frame/store";
import type { Message } from "../model";

/** What is written and not sent yet. It stays while somebody looks at other chats, and its text when the page reloads. */
export interface Draft {
  text: string;
  replyTo: Message | null;
  /** whether it will be a note, which is not sent */
  note?: boolean;
}

const EMPTY: Draft = { text: "", replyTo: null };
const drafts = typedDrawer<Draft>();
const texts = kept<Pick<Draft, "text" | "note">>("chat-draft");
// Addresses of persons whose chats became known, and the chats.
const moved = typedDrawer<string>();
const changes = new Store({});

function keyOf(account: string, chat: string): string {
  const key = `${account}/${chat}`;
  return moved.get(key) ?? key;
}

function find(key: string): Draft | undefined {
  const stored = texts.get(key);
  return drafts.get(key) ?? (stored && { ...EMPTY, ...stored });
}

function put(key: string, draft: Draft): void {
  const { text, replyTo, note } = draft;
  if (text || replyTo || note) drafts.set(key, draft);
  else drafts.delete(key);
  if (text.trim()) texts.set(key, { text, ...(note && { note }) });
  else texts.delete(key);
}

export function draftOf(account: string, chat: string): Draft {
  return find(keyOf(account, chat)) ?? EMPTY;
}

export function keepDraft(account: string, chat: string, draft: Draft): void {
  put(keyOf(account, chat), draft);
  changes.set({});
}

/** The person at `address` has a chat: what is written to the address is the draft of that chat from now on. */
export function moveDraft(account: string, address: string, chat: string): void {
  const from = `${account}/${address}`;
  const to = `${account}/${chat}`;
  const written = find(from);
  put(from, EMPTY);
  moved.set(from, to);
  if (!written) return;
  const existing = find(to);
  const joined = existing
    ? { ...existing, text: [existing.text, written.text].filter(Boolean).join("\n") }
    : written;
  put(to, joined);
  changes.set({});
}

export function useDraft(account: string, chat: string): [Draft, (draft: Draft) => void] {
  useStore(changes);
  return [draftOf(account, chat), (draft) => keepDraft(account, chat, draft)];
}
