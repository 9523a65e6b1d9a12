import type {
  InboxAccountFragment,
  InboxChatFragment,
  InboxLabelFragment,
  InboxMessageFragment,
  InboxNoteFragment,
} from "../../gql/graphql";

export type Account = InboxAccountFragment;
export type Chat = InboxChatFragment;
export type Message = InboxMessageFragment;
export type Label = InboxLabelFragment;
export type Note = InboxNoteFragment;

export const MOST_LABELS_OF_CHAT = 20;
export const LONGEST_NOTE = 4000; // characters

/** A row of the list of chats: a chat and its newest message. */
export interface ChatRow {
  chat: Chat;
  last: Message | null;
}

/** What a chat is called: the name that the messenger shows, or else the address. */
export function titleOf(chat: Chat): string {
  return chat.name ?? addressOf(chat);
}

/** The phone or the username of the other side; the messenger's id of the chat if neither is known. */
export function addressOf(chat: Chat): string {
  return chat.phone ?? (chat.username ? `@${chat.username}` : chat.thread);
}

export function initialsOf(title: string): string {
  const words = title.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32))
    .join("")
    .toUpperCase();
}

export function accountName(account: Account): string {
  return account.name || account.login;
}

export function isConnected(account: Account): boolean {
  return account.state === "working";
}

/** The address of a chat's page; `chat` is its id or, if there is no chat yet, a phone or a @username. */
export function chatPath(account: string, chat: string): string {
  return `/inbox/${account}/${encodeURIComponent(chat)}`;
}

/** Returns whether a part of an address names a person and not a chat. */
export function isAddress(chat: string): boolean {
  return chat.startsWith("+") || chat.startsWith("@");
}

export function isChatWith(chat: Chat, address: string): boolean {
  if (address.startsWith("@")) return chat.username?.toLowerCase() === address.slice(1).toLowerCase();
  return chat.phone === address;
}

/** Whether a message was a template: WhatsApp has its words, so that nothing of it is stored. */
export function isTemplate({ outgoing, text, content, deletedAt }: Message): boolean {
  return outgoing && !text && content.length === 0 && !deletedAt;
}

/** Puts changed chats into a list, the newest first. A chat that is new to the list is added if `fits` says so. */
export function withRow(rows: readonly ChatRow[], row: ChatRow, fits: boolean): ChatRow[] {
  const before = rows.find(({ chat }) => chat.uuid === row.chat.uuid);
  if (!before && !fits) return [...rows];
  const last = newerOf(before?.last ?? null, row.last);
  const others = rows.filter((item) => item !== before);
  return sorted([...others, { chat: row.chat, last }]);
}

/** Puts the first page of the list, as it is now, in place of what was known of these chats. */
export function withFirstPage(rows: readonly ChatRow[], page: readonly ChatRow[], whole: boolean): ChatRow[] {
  const fresh = new Set(page.map(({ chat }) => chat.uuid));
  const oldest = page.at(-1)?.chat.lastAt ?? "";
  // What is newer than the end of the page and not on it is no longer part of the list.
  const rest = whole ? [] : rows.filter(({ chat }) => !fresh.has(chat.uuid) && (chat.lastAt ?? "") < oldest);
  return sorted([...page, ...rest]);
}

export function sorted(rows: ChatRow[]): ChatRow[] {
  return rows.sort((a, b) => (b.chat.lastAt ?? "").localeCompare(a.chat.lastAt ?? ""));
}

function newerOf(a: Message | null, b: Message | null): Message | null {
  if (!a || !b) return a ?? b;
  return b.uuid === a.uuid || b.at >= a.at ? b : a;
}

/** Puts messages into a conversation, whose oldest message is the first. */
export function withMessages(messages: readonly Message[], changed: readonly Message[]): Message[] {
  const byId = new Map(changed.map((message) => [message.uuid, message]));
  const result = messages.map((message) => {
    const newer = byId.get(message.uuid);
    byId.delete(message.uuid);
    return newer ?? message;
  });
  for (const message of byId.values()) {
    let index = result.length;
    while (index > 0 && (result[index - 1]?.at ?? "") > message.at) index -= 1;
    result.splice(index, 0, message);
  }
  return result;
}

/** The link to a file of a message: a path of this service, or an address elsewhere, which the page must not load. */
export function fileLink(src: string | null): { href: string; ours: boolean } | null {
  if (!src) return null;
  try {
    const url = new URL(src, "http://here.invalid");
    if (url.protocol !== "http:" && url.protocol !== "https:") return null;
    const ours = url.pathname.startsWith("/messenger-media/");
    return { href: ours ? url.pathname + url.search : url.href, ours };
  } catch {
    return null;
  }
}

export const MOST_FILES = 10;
export const MOST_BYTES = 50 * 1024 * 1024;

/** How a messenger shows a file of this type. Pictures of other types are files for the messengers. */
export function kindOf(mime: string): "image" | "video" | "audio" | "file" {
  if (/^image\/(jpeg|png|webp)$/.test(mime)) return "image";
  if (mime === "video/mp4") return "video";
  return mime.startsWith("audio/") ? "audio" : "file";
}

/** Parts of a text: addresses of web pages, and what is between them. */
export function partsOf(text: string): { text: string; href?: string }[] {
  const parts: { text: string; href?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'’»]/g)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: match[0], href: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
