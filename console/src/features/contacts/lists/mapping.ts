import type { ContactMapping, ProjectChannel } from "../../../gql/graphql";
import { CHANNELS } from "../search";

const PARTS = ["name", "lastName", "externalId", "locale", "timezone", "status"] as const;
const CONSENT = { agreed: "consentAgreed", at: "consentAt", ip: "consentIp", form: "consentForm" } as const;
type ConsentPart = keyof typeof CONSENT;
const CONSENT_PARTS = Object.keys(CONSENT) as ConsentPart[];

/** What a column is used for: a part of the contact or of its consent, an address of a channel, a field, or nothing. */
export type Use = (typeof PARTS)[number] | (typeof CONSENT)[ConsentPart] | ProjectChannel | "field" | "none";

const SINGLE: readonly Use[] = [...PARTS, ...Object.values(CONSENT)];
export const USES: readonly Use[] = [...PARTS, ...CHANNELS, ...Object.values(CONSENT), "field", "none"];

export interface Column {
  name: string;
  samples: readonly string[];
}

export interface MappedColumn extends Column {
  use: Use;
  /** the name of the field, if it is one */
  field: string;
  /** whether it is a field beside its use: a first name is part of the name, too */
  also: boolean;
}

const isSame = (one: string, other: string | null | undefined) => one.toLowerCase() === other?.toLowerCase();

/** Returns what each column is used for, given the server's mapping. */
export function usesOf(columns: readonly Column[], mapping: ContactMapping): MappedColumn[] {
  const fields = Object.entries((mapping.fields ?? {}) as Record<string, string>);
  return columns.map((column) => {
    const part = PARTS.find((name) => isSame(column.name, mapping[name]));
    const address = mapping.addresses?.find((one) => isSame(column.name, one.column));
    const field = fields.find(([, title]) => isSame(column.name, title))?.[0];
    const consent = CONSENT_PARTS.find((name) => isSame(column.name, mapping.consent?.[name]));
    const other = part ?? address?.channel ?? (consent && CONSENT[consent]);
    const use = other ?? (field === undefined ? "none" : "field");
    const also = other !== undefined && field !== undefined;
    return { ...column, use, also, field: field ?? fieldOf(column.name) };
  });
}

export function mappingOf(columns: readonly MappedColumn[]): ContactMapping {
  const named = (part: Use) => columns.find(({ use }) => use === part)?.name;
  const consent = CONSENT_PARTS.filter((part) => named(CONSENT[part]));
  return {
    ...Object.fromEntries(PARTS.flatMap((part) => (named(part) ? [[part, named(part)]] : []))),
    ...(consent.length > 0 && {
      consent: Object.fromEntries(consent.map((part) => [part, named(CONSENT[part])])),
    }),
    addresses: columns.flatMap(({ name, use }) => {
      const channel = CHANNELS.find((one) => one === use);
      return channel ? [{ channel, column: name }] : [];
    }),
    fields: Object.fromEntries(columns.filter(isField).map(({ name, field }) => [field, name])),
  };
}

/** Changes what a column is used for. A part has one column, so the one that had it becomes a field. */
export function withUse(columns: readonly MappedColumn[], index: number, use: Use): MappedColumn[] {
  const single = SINGLE.some((part) => part === use);
  return columns.map((column, position) => {
    if (position === index) return { ...column, use, also: false };
    return single && column.use === use ? { ...column, use: "field" } : column;
  });
}

/** Returns whether a column is a field, be it beside another use. */
export function isField({ use, also }: MappedColumn): boolean {
  return use === "field" || also;
}

/** Returns whether the rows say whom they are about. */
export function hasIdentity(columns: readonly MappedColumn[]): boolean {
  return columns.some(({ use }) => use === "externalId" || CHANNELS.some((channel) => channel === use));
}

/** Returns the names of fields that can't be: no names, or those of two columns at once. */
export function wrongFields(columns: readonly MappedColumn[]): Set<string> {
  const names = columns.filter(isField).map(({ field }) => field);
  return new Set(
    names.filter((name, index) => names.indexOf(name) !== index || !/^[A-Za-z]\w{0,63}$/.test(name)),
  );
}

/** Makes a column's title the name of a field: "Order No." becomes "Order_No". One in other letters has none. */
export function fieldOf(title: string): string {
  return title
    .replace(/\W+/g, "_")
    .replace(/^[^A-Za-z]+|_+$/g, "")
    .slice(0, 64);
}
