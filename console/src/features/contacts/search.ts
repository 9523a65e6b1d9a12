import { isAddress } from "../../frame/contacts/person";
import type { ContactWhere, ProjectChannel } from "../../gql/graphql";

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  channel: ProjectChannel | null;
  /** the field whose value is compared; "" if none */
  field: string;
  value: string;
}

export const CHANNELS: readonly ProjectChannel[] = ["email", "sms", "push", "telegram", "whatsapp"];

export function parseSearch(params: URLSearchParams): Search {
  return {
    text: params.get("q") ?? "",
    channel: CHANNELS.find((channel) => channel === params.get("channel")) ?? null,
    field: params.get("field") ?? "",
    value: params.get("value") ?? "",
  };
}

export function searchParams({ text, channel, field, value }: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (text.trim()) params.set("q", text.trim());
  if (channel) params.set("channel", channel);
  if (field) params.set("field", field);
  if (field && value) params.set("value", value);
  return params;
}

export function whereOf(
  { text, channel, field, value }: Search,
  valueOf: (text: string) => unknown,
): ContactWhere {
  const asked = text.trim();
  return {
    ...(asked && isAddress(asked) && { address: { eq: asked } }),
    ...(asked && !isAddress(asked) && { name: { contains: asked } }),
    ...(channel && { channel: { eq: channel } }),
    ...(field && { fields: [value ? { key: field, eq: valueOf(value) } : { key: field, isSet: true }] }),
  };
}
