/** What a column is used for. */
export type Use = "address" | "phone" | "email" | "name" | "timezone" | "variable" | "none";

export interface Column {
  name: string;
  samples: readonly string[];
}

export interface MappedColumn extends Column {
  use: Use;
  /** the name of the variable, if it is one */
  variable: string;
}

export type Mapping = Record<string, string>;

const FIELDS: readonly string[] = ["address", "phone", "email", "name", "timezone"];
const ADDRESSES: readonly Use[] = ["address", "phone", "email"];

/** Returns what each column is used for, given the server's mapping of fields to columns. */
export function usesOf(columns: readonly Column[], mapping: Mapping): MappedColumn[] {
  const byColumn = new Map(Object.entries(mapping).map(([field, column]) => [column.toLowerCase(), field]));
  return columns.map((column) => {
    const field = byColumn.get(column.name.toLowerCase());
    if (field === undefined) return { ...column, use: "none", variable: variableOf(column.name) };
    if (FIELDS.includes(field)) return { ...column, use: field as Use, variable: variableOf(column.name) };
    return { ...column, use: "variable", variable: field };
  });
}

export function mappingOf(columns: readonly MappedColumn[]): Mapping {
  const mapping: Mapping = {};
  for (const { name, use, variable } of columns) {
    if (use === "none") continue;
    mapping[use === "variable" ? variable : use] = name;
  }
  return mapping;
}

/** Changes what a column is used for. A field has one column, so the one that had it becomes a variable. */
export function withUse(columns: readonly MappedColumn[], index: number, use: Use): MappedColumn[] {
  const single = use !== "variable" && use !== "none";
  return columns.map((column, position) => {
    if (position === index) return { ...column, use };
    return single && column.use === use ? { ...column, use: "variable" } : column;
  });
}

export function hasAddress(columns: readonly MappedColumn[]): boolean {
  return columns.some(({ use }) => ADDRESSES.includes(use));
}

/** Returns a channel that reaches the people of this list, if `channel` does not; null if it may. */
export function fittingChannel(columns: readonly MappedColumn[], channel: string): "email" | "sms" | null {
  const has = (use: Use) => columns.some((column) => column.use === use);
  if (has("address")) return null;
  if ((channel === "sms" || channel === "whatsapp") && !has("phone") && has("email")) return "email";
  return channel === "email" && !has("email") && has("phone") ? "sms" : null;
}

// As the server reads them in lists of contacts (engine/file_parsers/consents.py): parts of titles, whole titles, and titles
// that are about consent only if their cells say yes or no.
const CONSENT_PARTS = [
  "optin",
  "optedin",
  "consent",
  "acceptsemail",
  "acceptssms",
  "acceptsmarketing",
  "einwilligung",
];
const CONSENT_TITLES = ["agreed", "gdpr"];
const CONSENT_LIKE = /subscribed|newsletter|marketing|permission/;
const YES_OR_NO = /^(?:y|n|yes|no|true|false|0|1|да|нет|ja|nein|oui|non|sí|si)$/i;

/** Returns the title of a column that says who may be written to; null: there is none. */
export function consentIn(columns: readonly Column[]): string | null {
  const found = columns.find(({ name, samples }) => {
    const title = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
    if (CONSENT_TITLES.includes(title) || title.includes("согласи")) return true;
    if (CONSENT_PARTS.some((part) => title.includes(part))) return true;
    const cells = samples.map((cell) => cell.trim()).filter(Boolean);
    return CONSENT_LIKE.test(title) && cells.length > 0 && cells.every((cell) => YES_OR_NO.test(cell));
  });
  return found?.name ?? null;
}

/** Returns the names of variables that two columns have at once. */
export function clashesOf(columns: readonly MappedColumn[]): string[] {
  const names = columns.filter(({ use }) => use === "variable").map(({ variable }) => variable);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** Makes a column's title a name that Liquid can read, as the server does: "Order No." becomes "Order_No". */
export function variableOf(title: string): string {
  const name = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  if (!name) return "value";
  return /^\p{N}/u.test(name) ? `_${name}` : name;
}
