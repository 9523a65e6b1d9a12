import { parseDecimal } from "../../frame/values/decimal";
import type { ProjectChannel } from "../../gql/graphql";

export const CHANNELS = ["sms", "email", "push", "telegram", "whatsapp"] as const;

/** The prices of a tariff in one currency, as somebody types them. */
export interface PriceRow {
  currency: string;
  prices: Partial<Record<ProjectChannel, string>>;
}

/** Reads the prices of a tariff: by currency, then by channel. */
export function priceRows(prices: unknown): PriceRow[] {
  if (typeof prices !== "object" || prices === null) return [];
  return Object.entries(prices as Record<string, Record<string, number>>)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([currency, byChannel]) => ({
      currency,
      prices: Object.fromEntries(
        CHANNELS.filter((channel) => typeof byChannel[channel] === "number").map((channel) => [
          channel,
          plain(byChannel[channel] ?? 0),
        ]),
      ),
    }));
}

/** Returns a price without an exponent: `String` would write 0.0000001 as 1e-7. */
function plain(price: number): string {
  return price.toFixed(6).replace(/\.?0+$/, "");
}

/** Returns whether a price is missing, or one that the server takes: not negative, six decimals at most. */
export function isPrice(text: string): boolean {
  return text.trim() === "" || parseDecimal(text) !== null;
}

/**
 * Returns what is wrong with the currency of a row: it is missing or no code of three letters, or an earlier row has
 * the same one. A row without anything is no mistake; it is left out.
 */
export function rowProblem(
  rows: readonly PriceRow[],
  index: number,
  channels: readonly ProjectChannel[],
): "currency" | "twice" | null {
  const row = rows[index];
  if (!row || isEmpty(row, channels)) return null;
  const code = codeOf(row);
  if (!/^[A-Z]{3}$/.test(code)) return "currency";
  return rows.findIndex((row) => codeOf(row) === code) < index ? "twice" : null;
}

/**
 * Returns what the server stores. Channels that are not chosen are left out, and so are channels without a price:
 * nothing can be sent on them in that currency.
 */
export function toPrices(
  rows: readonly PriceRow[],
  channels: readonly ProjectChannel[],
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    rows
      .filter((row) => !isEmpty(row, channels))
      .map((row) => [
        codeOf(row),
        Object.fromEntries(
          CHANNELS.filter((channel) => channels.includes(channel))
            .map((channel) => [channel, parseDecimal(row.prices[channel] ?? "")] as const)
            .filter((price): price is [ProjectChannel, string] => price[1] !== null),
        ),
      ]),
  );
}

function codeOf({ currency }: PriceRow): string {
  return currency.trim().toUpperCase();
}

function isEmpty(row: PriceRow, channels: readonly ProjectChannel[]): boolean {
  return codeOf(row) === "" && channels.every((channel) => !row.prices[channel]?.trim());
}
