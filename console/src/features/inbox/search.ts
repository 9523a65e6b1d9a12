import { plainPhone } from "../../frame/values/phone";
import type { MessengerChatWhere } from "../../gql/graphql";
import { addressOf, titleOf, type Chat } from "./model";

export const STATES = ["open", "closed", "all"] as const;
export type State = (typeof STATES)[number];

/** What the list of chats shows. All of it is in the address. */
export interface Search {
  text: string;
  unread: boolean;
  state: State;
  label: string | null;
  account: string | null;
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    text: params.get("q") ?? "",
    unread: params.has("unread"),
    state: STATES.find((state) => state === params.get("state")) ?? "open",
    label: params.get("label"),
    account: params.get("account"),
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.text.trim()) params.set("q", search.text.trim());
  if (search.unread) params.set("unread", "1");
  if (search.state !== "open") params.set("state", search.state);
  if (search.label) params.set("label", search.label);
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
    ...(search.state !== "all" && { state: { eq: search.state } }),
    ...(search.label && { label: { eq: search.label } }),
  };
}

/** Returns whether a chat that has changed belongs to the list. */
export function fits(search: Search, chat: Chat): boolean {
  const text = storedText(search.text).toLowerCase();
  return (
    (!search.unread || chat.unread > 0) &&
    (search.state === "all" || (search.state === "closed") === (chat.closedAt !== null)) &&
    (!search.label || (chat.labels?.some(({ uuid }) => uuid === search.label) ?? false)) &&
    (!search.account || search.account === chat.accountId) &&
    (!text || `${titleOf(chat)} ${addressOf(chat)} ${chat.username ?? ""}`.toLowerCase().includes(text))
  );
}

export function isFiltered(search: Search): boolean {
  return Boolean(search.text.trim()) || search.unread || search.account !== null || search.label !== null;
}

/** Returns whether messages may be searched for the text: it has a letter or a digit. */
export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && text.length <= 200;
}
