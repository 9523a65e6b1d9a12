import { monthBefore } from "../../frame/period/period";
import type { Format } from "../../frame/values/format";

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
  return monthBefore(moment).from.slice(0, 7);
}

/** Returns an amount with all its digits: without costs of the route nobody knows its currency. */
export function amountOf(format: Format, amount: number, currency: string | null): string {
  return currency
    ? format.exactMoney(amount, currency)
    : new Intl.NumberFormat(format.language, { maximumFractionDigits: 6 }).format(amount);
}
