/** How a value is written in a form. Everything is JSON; most values are simple. */
export const KINDS = ["text", "number", "boolean", "json"] as const;
export type Kind = (typeof KINDS)[number];

export const MAX_VALUE = 64 * 1024; // bytes of a setting, as JSON
const PREVIEW = 160; // characters

export function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return "json";
}

/** Returns what stands in the form's field for this value. */
export function draftOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Returns one line for a list. */
export function previewOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}

export type Parsed = { ok: true; value: unknown } | { ok: false; problem: "number" | "json" | "tooLong" };

/** Reads the form's field. JavaScript would round a large whole number, so such a number is refused. */
export function parse(kind: Kind, draft: string, most = MAX_VALUE): Parsed {
  const parsed = read(kind, draft);
  if (parsed.ok && new TextEncoder().encode(JSON.stringify(parsed.value)).length > most) {
    return { ok: false, problem: "tooLong" };
  }
  return parsed;
}

function read(kind: Kind, draft: string): Parsed {
  if (kind === "text") return { ok: true, value: draft };
  if (kind === "boolean") return { ok: true, value: draft === "true" };
  if (kind === "number") {
    const text = draft.trim().replace(",", ".");
    const value = Number(text);
    const exact = !/^-?\d+$/.test(text) || Number.isSafeInteger(value);
    return text !== "" && Number.isFinite(value) && exact
      ? { ok: true, value }
      : { ok: false, problem: "number" };
  }
  try {
    return { ok: true, value: JSON.parse(draft) as unknown };
  } catch {
    return { ok: false, problem: "json" };
  }
}

/** Returns whether two JSON values are the same, whatever the order of their keys. */
export function same(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The keys that a setting may have (the server's rule). */
export const KEY = /^[A-Za-z0-9_.-]{1,128}$/;

export interface Entry {
  key: string;
  value: unknown;
  /** seconds until it expires; null: never. Only stored values expire. */
  ttlSeconds?: number | null;
}

/** Returns the settings that have the text in their key or value, sorted by key. */
export function entriesOf(settings: unknown, text: string): Entry[] {
  const needle = text.trim().toLowerCase();
  return Object.entries((settings ?? {}) as Record<string, unknown>)
    .map(([key, value]) => ({ key, value }))
    .filter(
      ({ key, value }) =>
        key.toLowerCase().includes(needle) || JSON.stringify(value).toLowerCase().includes(needle),
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
