export const PARTS = ["messageId", "phone", "at", "parts", "price"] as const;

type Columns = Record<(typeof PARTS)[number], string>;

/** Returns the mapping of an invoice; null if no column is named, so that they are found by their names. */
export function mappingOf(columns: Columns): Record<(typeof PARTS)[number], string | null> | null {
  const named = PARTS.map((part) => [part, columns[part].trim() || null] as const);
  if (named.every(([, column]) => column === null)) return null;
  return Object.fromEntries(named) as Record<(typeof PARTS)[number], string | null>;
}

/** Returns the month before a moment, in UTC: invoices come after it. */
export function monthOf(moment: Date): string {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
