import { plainPhone } from "../../frame/values/phone";
import type { MessengerChatWhere } from "../../gql/graphql";
import { addressOf, titleOf, type Chat } from "./model";

/** What the list of chats shows. All of it is in the address. */
export interface Search {
  text: string;
  unread: boolean;
  account: string | null;
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    text: params.get("q") ?? "",
    unread: params.has("unread"),
    account: params.get("account"),
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.text.trim()) params.set("q", search.text.trim());
  if (search.unread) params.set("unread", "1");
  if (search.account) params.set("account", search.account);
  return params;
}

/** The text as names, phones and usernames are stored: phones without spaces, usernames without @. */
function storedText(text: string): string {
  return plainPhone(text).replace(/^@/, "");
}

export function whereOf(search: Search): MessengerChatWhere {
  const text = storedText(search.text);
  return {
    ...(text && { text: { contains: text } }),
    ...(search.unread && { unread: { eq: true } }),
  };
}

/** Returns whether a chat that has changed belongs to the list. */
export function fits(search: Search, chat: Chat): boolean {
  const text = storedText(search.text).toLowerCase();
  return (
    (!search.unread || chat.unread > 0) &&
    (!search.account || search.account === chat.accountId) &&
    (!text || `${titleOf(chat)} ${addressOf(chat)} ${chat.username ?? ""}`.toLowerCase().includes(text))
  );
}

export function isFiltered(search: Search): boolean {
  return Boolean(search.text.trim()) || search.unread || search.account !== null;
}
