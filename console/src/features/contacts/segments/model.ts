import type {
  ContactFieldCondition,
  ContactFieldType,
  ProjectChannel,
  SegmentCondition,
  SegmentContact,
  SegmentEvent,
  SegmentFilter,
  SubscriptionState,
} from "../../../gql/graphql";
import { textOf, valueOf } from "../values";

export const KINDS = ["field", "name", "locale", "channel", "added", "subscription", "history"] as const;
export type Kind = (typeof KINDS)[number];

const SPANS = ["gt", "gte", "lt", "lte"] as const;
export type Span = (typeof SPANS)[number];
export type OfDays = "inDays" | "withinDays" | "daysAgo";
export type Operator = "eq" | "in" | "notIn" | Span | OfDays | "set" | "unset";

const SOME: readonly Operator[] = ["eq", "in", "notIn", "set", "unset"];
export const OPERATORS: Record<ContactFieldType, readonly Operator[]> = {
  text: SOME,
  list: SOME,
  bool: ["eq", "set", "unset"],
  number: ["eq", "in", "notIn", ...SPANS, "set", "unset"],
  date: ["inDays", "withinDays", "daysAgo", "eq", "in", "notIn", ...SPANS, "set", "unset"],
};
export const EVENTS: readonly SegmentEvent[] = [
  "sent",
  "delivered",
  "read",
  "replied",
  "clicked",
  "failed",
  "bounced",
  "complained",
];
export const STATES: readonly SubscriptionState[] = ["active", "pending", "withdrawn"];
export const MOST_GROUPS = 20;
export const MOST_CONDITIONS = 20; // in a group
export const MOST_PARTS = 100; // groups, conditions and conditions on fields
const MOST_DAYS = 366;
const MOST_DAYS_AGO = 36_600;
const USUAL_DAYS = 90; // of messages, as the server has it

/** A condition as its fields show it. Those of other kinds keep what was entered, and are not sent. */
export interface Draft {
  kind: Kind;
  not: boolean;
  field: string;
  operator: Operator;
  /** of a field, a name or languages */
  value: string;
  /** "" if none is asked for */
  days: number | string;
  /** by which a contact is reached */
  channels: ProjectChannel[];
  /** of a subscription or a message; null: any */
  channel: ProjectChannel | null;
  topic: string | null;
  states: SubscriptionState[];
  event: SegmentEvent;
  topics: string[];
  projects: string[];
}

/** Conditions of which one is enough. */
export type Group = readonly Draft[];
export type Types = ReadonlyMap<string, ContactFieldType>;

export const NEW: Draft = {
  kind: "field",
  not: false,
  field: "",
  operator: "eq",
  value: "",
  days: "",
  channels: [],
  channel: null,
  topic: null,
  states: ["active"],
  event: "delivered",
  topics: [],
  projects: [],
};

/** Returns a condition of a kind, with its usual number of days. */
export function changedKind(draft: Draft, kind: Kind): Draft {
  const days = kind === "history" ? USUAL_DAYS : kind === "added" ? 7 : "";
  return { ...draft, kind, days, value: "" };
}

/** Returns a condition on another field, compared in the first way that its type has. */
export function changedField(draft: Draft, field: string, types: Types): Draft {
  const operator = OPERATORS[types.get(field) ?? "text"][0] ?? "eq";
  return { ...draft, field, operator, value: "", days: isOfDays(operator) ? 0 : "" };
}

export function isSpan(operator: Operator): operator is Span {
  return SPANS.some((span) => span === operator);
}

export function isOfDays(operator: Operator): operator is OfDays {
  return operator === "inDays" || operator === "withinDays" || operator === "daysAgo";
}

/** Returns the filter that is sent; null if a condition is not complete. */
export function filterOf(groups: readonly Group[], types: Types): SegmentFilter | null {
  const all = groups.map((group) => ({ any: group.map((draft) => conditionOf(draft, types)) }));
  const complete = all.every(({ any }) => any.length > 0 && any.every((condition) => condition !== null));
  return complete && all.length > 0 ? ({ all } as SegmentFilter) : null;
}

function conditionOf(draft: Draft, types: Types): SegmentCondition | null {
  const asked = askedOf(draft, types);
  return asked && { not: draft.not, ...asked };
}

function askedOf(draft: Draft, types: Types): Omit<SegmentCondition, "not"> | null {
  if (draft.kind === "subscription") {
    const { topic, states, channel } = draft;
    const changedWithinDays = draft.days === "" ? null : daysOf(draft.days, 1);
    if (!topic || states.length === 0 || (draft.days !== "" && changedWithinDays === null)) return null;
    return { subscription: { topicUuid: topic, states, channel, changedWithinDays } };
  }
  if (draft.kind === "history") {
    const { event, topics, projects, channel } = draft;
    const withinDays = daysOf(draft.days, 1);
    if (withinDays === null) return null;
    return { history: { event, withinDays, topicUuids: topics, projectUuids: projects, channel } };
  }
  const contact = contactOf(draft, types);
  return contact && { contact };
}

function contactOf(draft: Draft, types: Types): SegmentContact | null {
  const text = draft.value.trim();
  switch (draft.kind) {
    case "name":
      return text ? { name: { contains: text } } : null;
    case "locale":
      return some(listOf(text), (locale) => ({ locale }));
    case "channel":
      return some(draft.channels, (channel) => ({ channel }));
    case "added": {
      const createdWithinDays = daysOf(draft.days, 1);
      return createdWithinDays === null ? null : { createdWithinDays };
    }
    default: {
      const condition = fieldOf(draft, types);
      return condition && { fields: [condition] };
    }
  }
}

function fieldOf({ field: key, operator, value, days }: Draft, types: Types): ContactFieldCondition | null {
  const type = types.get(key);
  if (!type || !OPERATORS[type].includes(operator)) return null;
  if (operator === "set" || operator === "unset") return { key, isSet: operator === "set" };
  if (isOfDays(operator)) {
    const asked = daysOf(days, ...boundsOf(operator));
    return asked === null ? null : { key, [operator]: asked };
  }
  // Of a list, single texts are compared.
  const one = (text: string) => valueOf(type === "list" ? "text" : type, text);
  if (operator === "in" || operator === "notIn") {
    const values = listOf(value).map(one);
    return values.length > 0 ? { key, [operator]: values } : null;
  }
  const compared = one(value);
  return compared === null ? null : { key, [operator]: compared };
}

function some<T, R>(values: readonly T[], make: (filter: { eq: T } | { in: T[] }) => R): R | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  return make(others.length > 0 ? { in: [first, ...others] } : { eq: first });
}

function listOf(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter(Boolean);
}

/** Returns the least and the most days that such a condition takes. */
export function boundsOf(operator: OfDays): [number, number] {
  return operator === "inDays"
    ? [-MOST_DAYS, MOST_DAYS]
    : [0, operator === "daysAgo" ? MOST_DAYS_AGO : MOST_DAYS];
}

function daysOf(value: number | string, least: number, most: number = MOST_DAYS): number | null {
  const days = Number(value);
  return value !== "" && Number.isInteger(days) && days >= least && days <= most ? days : null;
}

/** Returns how much of what a filter may have is used: groups, conditions and conditions on fields. */
export function partsOf(groups: readonly Group[]): number {
  const conditions = groups.flat();
  return groups.length + conditions.length + conditions.filter(({ kind }) => kind === "field").length;
}

type Json = Record<string, unknown>;

/**
 * Returns the fields that show a stored filter; null if they can't show all of it. What they would send is compared with
 * what is stored, so nothing can get lost.
 */
export function groupsOf(filter: unknown, types: Types): Group[] | null {
  try {
    const { all } = filter as { all: { any: Json[] }[] };
    const groups = all.map(({ any }) => any.map((condition) => draftOf(condition)));
    const sent = filterOf(groups, types);
    return sent && canonical(sent) === canonical(filter) ? groups : null;
  } catch {
    return null; // it has another form than any that is known here
  }
}

function draftOf({ not, contact, subscription, history }: Json): Draft {
  const draft = { ...NEW, not: not === true };
  if (subscription) {
    const { topicUuid, states, channel, changedWithinDays } = subscription as Partial<Json>;
    return {
      ...draft,
      kind: "subscription",
      topic: topicUuid as string,
      states: (states as SubscriptionState[] | undefined) ?? ["active"],
      channel: (channel as ProjectChannel | undefined) ?? null,
      days: (changedWithinDays as number | undefined) ?? "",
    };
  }
  if (history) {
    const { event, withinDays, topicUuids, projectUuids, channel } = history as Partial<Json>;
    return {
      ...draft,
      kind: "history",
      event: event as SegmentEvent,
      days: (withinDays as number | undefined) ?? USUAL_DAYS,
      topics: (topicUuids as string[] | undefined) ?? [],
      projects: (projectUuids as string[] | undefined) ?? [],
      channel: (channel as ProjectChannel | undefined) ?? null,
    };
  }
  return ofContact(draft, contact as SegmentContact);
}

function ofContact(draft: Draft, contact: SegmentContact): Draft {
  const { name, locale, channel, createdWithinDays, fields } = contact;
  if (name) return { ...draft, kind: "name", value: name.contains ?? "" };
  if (locale) return { ...draft, kind: "locale", value: [locale.eq ?? locale.in].flat().join(", ") };
  if (channel) {
    return { ...draft, kind: "channel", channels: [channel.eq ?? channel.in ?? []].flat() };
  }
  if (createdWithinDays) return { ...draft, kind: "added", days: createdWithinDays };
  const { key = "", isSet, ...compared } = fields?.[0] ?? {};
  const field = { ...draft, kind: "field" as const, field: key };
  if (typeof isSet === "boolean") return { ...field, operator: isSet ? "set" : "unset" };
  const [operator, value] = (Object.entries(compared)[0] ?? ["eq", ""]) as [Operator, unknown];
  return isOfDays(operator)
    ? { ...field, operator, days: value as number }
    : { ...field, operator, value: textOf(value) };
}

/** Returns a text that is equal for filters that mean the same to the server: without its defaults, in one order. */
function canonical(filter: unknown): string {
  return JSON.stringify(filter, (name, value: unknown) => {
    if (value === null || (name === "not" && value === false)) return undefined;
    if (name === "withinDays" && value === USUAL_DAYS) return undefined;
    if (Array.isArray(value)) {
      const usual = name === "states" && value.length === 1 && value[0] === "active";
      return usual || (value.length === 0 && name.endsWith("Uuids")) ? undefined : (value as unknown[]);
    }
    if (typeof value !== "object") return value;
    const entries = Object.entries(value as Json);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
