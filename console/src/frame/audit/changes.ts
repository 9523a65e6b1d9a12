/** A field that was changed, with its value before and after as text; null: there was none. */
export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

const LONGEST = 80;

/** Returns the changes of an entry, which come as `{ field: [before, after] }`. */
export function changesOf(changes: unknown): Change[] {
  if (typeof changes !== "object" || changes === null) return [];
  return Object.entries(changes).flatMap(([field, pair]) => {
    const [before, after] = Array.isArray(pair) ? (pair as unknown[]) : [null, pair as unknown];
    // What was made with an empty value has not got one.
    if ((before ?? null) === null && isEmpty(after)) return [];
    return { field, before: shown(before), after: shown(after) };
  });
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "";
}

function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
