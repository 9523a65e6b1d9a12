import type { ContactFieldType, NewContactAddress, ProjectChannel } from "../../gql/graphql";
import { CHANNELS } from "./search";

/** Returns the value that a text means for a field; null if it is empty. */
export function valueOf(type: ContactFieldType, text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed) return null;
  if (type === "number") return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  if (type === "bool") return trimmed === "true" ? true : trimmed === "false" ? false : trimmed;
  if (type === "list") return listOf(trimmed);
  return trimmed;
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Returns the text that stands for a value, as `valueOf` reads it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the addresses of lines such as `anna@example.com` or `whatsapp +14155550100`. */
export function addressesOf(text: string): NewContactAddress[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [first = "", ...rest] = line.split(/\s+/);
      const named = CHANNELS.find((channel) => channel === first.toLowerCase());
      if (named && rest.length > 0) return { channel: named, address: rest.join(" ") };
      return { channel: channelOf(line), address: line };
    });
}

function channelOf(address: string): ProjectChannel {
  if (address.startsWith("@")) return "telegram";
  return address.includes("@") ? "email" : "sms";
}

/** Returns the lines of addresses, each with its channel unless the address tells it. */
export function linesOf(addresses: readonly { channel: ProjectChannel; address: string }[]): string {
  return addresses
    .map(({ channel, address }) => (channelOf(address) === channel ? address : `${channel} ${address}`))
    .join("\n");
}
