import { parseDecimal } from "../../frame/decimal";
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
    .sort(([one], [other]) => one.localeCompare(other))
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

/** Returns what the server stores. Channels without a price are left out: nothing can be sent on them in that currency. */
export function toPrices(rows: readonly PriceRow[]): Record<string, Record<string, string>> {
  return Object.fromEntries(
    rows
      .filter(({ currency }) => currency.trim())
      .map(({ currency, prices }) => [
        currency.trim().toUpperCase(),
        Object.fromEntries(
          CHANNELS.map((channel) => [channel, parseDecimal(prices[channel] ?? "")] as const).filter(
            (price): price is [ProjectChannel, string] => price[1] !== null,
          ),
        ),
      ]),
  );
}
