import { isLimited, parsePeriod, putPeriod, spanOf, type Period } from "../../frame/period/period";
import { internationalPhone, phoneIn } from "../../frame/values/phone";
import type { MessageChannel, MessageRecordWhere, MessageWhere, SortDirection } from "../../gql/graphql";

/** What the list shows. All of it is in the address, so a link shows the same list, and "back" works. */
export interface Search extends Period {
  kind: "direct" | "project";
  status: string[];
  channel: string[];
  direction: "outbound" | "inbound" | null;
  /** whose messages, for administrators */
  user: string | null;
  account: string | null;
  project: string | null;
  /** why it failed or was skipped */
  cause: string | null;
  /** who clicked on a link, and on which one; of messages of projects */
  clicked: "human" | "machine" | null;
  link: string | null;
  /** what came back to a message of a project */
  reaction: Reaction | null;
  to: string;
  order: SortDirection;
}

export const REACTIONS = ["replied", "bounced", "complained", "unsubscribed"] as const;
export type Reaction = (typeof REACTIONS)[number];

export const DIRECT_STATES = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivered",
  "failed",
  "unknown",
  "canceled",
] as const;
export const RECORD_STATES = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "skipped",
  "unknown",
  "canceled",
] as const;
export const DIRECT_CHANNELS = ["sms", "email", "push", "telegram", "whatsapp"] as const;
export const RECORD_CHANNELS = DIRECT_CHANNELS;

export function parseSearch(params: URLSearchParams): Search {
  const kind = params.get("kind") === "project" ? "project" : "direct";
  const some = (name: string, known: readonly string[]) =>
    (params.get(name) ?? "").split(",").filter((value) => known.includes(value));
  const direction = params.get("direction");
  const clicked = params.get("clicked");
  return {
    kind,
    status: some("status", kind === "direct" ? DIRECT_STATES : RECORD_STATES),
    channel: some("channel", kind === "direct" ? DIRECT_CHANNELS : RECORD_CHANNELS),
    direction: direction === "inbound" || direction === "outbound" ? direction : null,
    user: kind === "direct" ? params.get("user") : null,
    account: kind === "direct" ? params.get("account") : null,
    project: kind === "project" ? params.get("project") : null,
    cause: params.get("cause"),
    clicked: kind === "project" && (clicked === "human" || clicked === "machine") ? clicked : null,
    link: kind === "project" ? params.get("link") : null,
    reaction:
      kind === "project" ? (REACTIONS.find((reaction) => reaction === params.get("reaction")) ?? null) : null,
    to: params.get("to") ?? "",
    ...parsePeriod(params),
    order: params.get("order") === "asc" ? "asc" : "desc",
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  const put = (name: string, value: string | null) => {
    if (value) params.set(name, value);
  };
  put("kind", search.kind === "project" ? "project" : null);
  put("status", search.status.join(","));
  put("channel", search.channel.join(","));
  put("direction", search.direction);
  put("user", search.user);
  put("account", search.account);
  put("project", search.project);
  put("cause", search.cause);
  put("clicked", search.clicked);
  put("link", search.link);
  put("reaction", search.reaction);
  put("to", search.to);
  putPeriod(params, search);
  put("order", search.order === "asc" ? "asc" : null);
  return params;
}

/** Returns how many filters are set. */
export function countFilters(search: Search): number {
  return [
    search.status.length,
    search.channel.length,
    search.direction,
    search.user,
    search.account,
    search.project,
    search.cause,
    search.clicked ?? search.link,
    search.reaction,
    search.to,
    isLimited(search),
  ].filter(Boolean).length;
}

/**
 * Returns the same search in the other of the two lists, direct messages and those of projects; null if it has filters
 * that the other list does not have.
 */
export function inOtherList(search: Search): Search | null {
  const { user, account, project, cause, clicked, link, reaction } = search;
  if (user || account || project || cause || clicked || link || reaction) return null;
  const other = parseSearch(
    searchParams({ ...search, kind: search.kind === "direct" ? "project" : "direct" }),
  );
  const unchanged = (name: "status" | "channel") => other[name].length === search[name].length;
  return unchanged("status") && unchanged("channel") ? other : null;
}

/** Returns the filter for direct messages. `now` is the end of a range like "24h". */
export function directWhere(search: Search, now: number): MessageWhere {
  return {
    ...(search.status.length > 0 && {
      deliveryState: { in: search.status as (typeof DIRECT_STATES)[number][] },
    }),
    ...(search.channel.length > 0 && {
      channel: { in: search.channel as (typeof DIRECT_CHANNELS)[number][] },
    }),
    ...(search.direction && { direction: { eq: search.direction } }),
    ...(search.user && { ownerId: { eq: search.user } }),
    ...(search.account && { accountId: { eq: search.account } }),
    ...(search.cause && { failureCode: { eq: search.cause } }),
    ...(search.to && { to: { eq: plainAddress(search.to) } }),
    ...period("createdAt", search, now),
  };
}

export function recordWhere(search: Search, now: number): MessageRecordWhere {
  return {
    ...(search.status.length > 0 && { status: { in: search.status as (typeof RECORD_STATES)[number][] } }),
    ...(search.channel.length > 0 && {
      channel: { in: search.channel as (typeof RECORD_CHANNELS)[number][] },
    }),
    ...(search.direction && { direction: { eq: search.direction } }),
    ...(search.project && { sendingProjectUuid: { eq: search.project } }),
    ...(search.clicked && { clicked: { eq: search.clicked } }),
    ...(search.link && { clickedLinkUuid: { eq: search.link } }),
    ...(search.reaction && { reaction: { eq: search.reaction } }),
    ...(search.cause && { failureCode: { eq: search.cause } }),
    ...(search.to && { to: { eq: search.to.trim() } }),
    ...period("queuedAt", search, now),
  };
}

/** Direct messages are found by an address in the channel's format, so a phone is written without its spaces. */
export function plainAddress(text: string): string {
  const national = phoneIn(text, 10);
  return internationalPhone(text) ?? (national ? `+${national}` : text.trim());
}

function period(name: "createdAt" | "queuedAt", search: Search, now: number) {
  const span = spanOf(search, now);
  return span ? { [name]: span } : {};
}

/** Returns to whom an address of the dialog sends: a link of another page names a channel and a recipient. */
export function recipientIn(params: URLSearchParams): { channel: MessageChannel; to: string } | null {
  const to = params.get("recipient");
  const channel = DIRECT_CHANNELS.find((item) => item === params.get("through"));
  return to && channel ? { channel, to } : null;
}
