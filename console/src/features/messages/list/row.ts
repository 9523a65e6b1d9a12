import type { DirectRowFragment, RecordRowFragment } from "../../../gql/graphql";

/** A message of either kind, as the list shows it. */
export interface Row {
  uuid: string;
  channel: string;
  inbound: boolean;
  address: string;
  /** the subject of an email or the title of a push message; "" if there is none */
  title: string;
  text: string;
  state: string;
  failureCode: string | null;
  /** when it is sent, of one that is scheduled; null: it is not */
  sendAt: string | null;
  price: number;
  currency: string | null;
  at: string;
  updatedAt: string;
  project: string | null;
}

export function directRow(message: DirectRowFragment): Row {
  const inbound = message.direction === "inbound";
  return {
    uuid: message.uuid,
    channel: message.channel,
    inbound,
    address: inbound ? (message.sender ?? "") : message.to,
    title: titleOf(message.metadata),
    text: message.body,
    state: message.deliveryState,
    failureCode: message.failureCode ?? null,
    sendAt: message.deliveryState === "scheduled" ? (message.sendAt ?? null) : null,
    price: message.price,
    currency: message.account?.currency ?? null,
    at: message.createdAt,
    updatedAt: message.updatedAt,
    project: null,
  };
}

export function recordRow(record: RecordRowFragment): Row {
  return {
    uuid: record.uuid,
    channel: record.channel,
    inbound: record.direction === "inbound",
    address: record.to,
    title: subjectOf(record),
    text: record.body ?? "",
    state: record.status,
    failureCode: record.failureCode ?? null,
    sendAt: null,
    price: record.price,
    currency: record.account?.currency ?? null,
    at: record.queuedAt,
    updatedAt: record.updatedAt,
    project: record.sendingProject?.name ?? null,
  };
}

const TITLED = new Set(["email", "push"]);
const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** The subject of a project's message, with "…" where each recipient has another value; "" if there is none. */
function subjectOf({ channel, direction, sendingProject }: RecordRowFragment): string {
  if (!TITLED.has(channel) || direction === "inbound") return "";
  return (sendingProject?.subject ?? "").replace(LIQUID, "…").trim();
}

/** The subject of an email or the title of a push message; "" if there is none. */
export function titleOf(metadata: unknown): string {
  if (typeof metadata !== "object" || metadata === null) return "";
  const { subject, title } = metadata as { subject?: unknown; title?: unknown };
  if (typeof subject === "string") return subject;
  return typeof title === "string" ? title : "";
}

/** Returns whether a row belongs into a list with this filter by state. */
export function hasState(row: Row, states: string[]): boolean {
  return states.length === 0 || states.includes(row.state);
}
