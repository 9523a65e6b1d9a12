import type { DirectRowFragment, RecordRowFragment } from "../../../gql/graphql";

/** A message of either kind, as the list shows it. */
export interface Row {
  uuid: string;
  channel: string;
  inbound: boolean;
  address: string;
  text: string;
  state: string;
  failureCode: string | null;
  price: number;
  currency: string | null;
  at: string;
  updatedAt: string;
  project: string | null;
}

export function directRow(message: DirectRowFragment): Row {
  const inbound = message.direction === "inbound";
  const title = titleOf(message.metadata);
  return {
    uuid: message.uuid,
    channel: message.channel,
    inbound,
    address: inbound ? (message.sender ?? "") : message.to,
    text: title ? `${title} — ${message.body}` : message.body,
    state: message.deliveryState,
    failureCode: message.failureCode ?? null,
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
    text: record.body ?? "",
    state: record.status,
    failureCode: record.failureCode ?? null,
    price: record.price,
    currency: record.account?.currency ?? null,
    at: record.queuedAt,
    updatedAt: record.updatedAt,
    project: record.sendingProject?.name ?? null,
  };
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
