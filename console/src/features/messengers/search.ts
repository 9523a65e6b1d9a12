import { plainPhone } from "../../frame/values/phone";
import type { MessengerAccountWhere, MessengerSource } from "../../gql/graphql";
import { GROUP_NAMES, GROUPS, type Group } from "./states";

export const SOURCES = ["telegram", "whatsapp"] as const satisfies readonly MessengerSource[];

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  source: MessengerSource | null;
  group: Group | null;
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    text: params.get("q") ?? "",
    source: SOURCES.find((item) => item === params.get("source")) ?? null,
    group: GROUP_NAMES.find((item) => item === params.get("state")) ?? null,
  };
}

export function searchParams({ text, source, group }: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (text.trim()) params.set("q", text.trim());
  if (source) params.set("source", source);
  if (group) params.set("state", group);
  return params;
}

export function whereOf({ text, source, group }: Search): MessengerAccountWhere {
  // Phones are stored as digits, however they are written.
  const plain = plainPhone(text).replace(/^\+(?=\d*$)/, "");
  return {
    ...(plain && { text: { contains: plain } }),
    ...(source && { source: { eq: source } }),
    ...(group && { state: { in: [...GROUPS[group]] } }),
  };
}

export function isFiltered({ text, source, group }: Search): boolean {
  return Boolean(text.trim()) || source !== null || group !== null;
}
