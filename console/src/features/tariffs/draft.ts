import type { ProjectChannel, SetTariff, TariffFieldsFragment } from "../../gql/graphql";
import { LIMITS, parseLimit, type Limit } from "./limits";
import { CHANNELS, isPrice, priceRows, rowProblem, toPrices, type PriceRow } from "./prices";

/** A tariff as somebody types it. */
export interface Draft {
  name: string;
  public: boolean;
  channels: ProjectChannel[];
  rows: PriceRow[];
  /** the uuid of the price list; null: none */
  priceListId: string | null;
  limits: Record<Limit, string>;
}

const DEFAULTS: Record<Limit, number> = {
  messagesPerDay: 10_000_000,
  messagesPerMinute: 10_000_000,
  maxConcurrentProjects: 100,
  maxRecipientsPerProject: 10_000_000,
};

/** Returns the form of a tariff; null for a new one. */
export function draftOf(tariff: TariffFieldsFragment | null): Draft {
  const numbers = tariff ?? DEFAULTS;
  return {
    name: tariff?.name ?? "",
    public: tariff?.public ?? false,
    channels: CHANNELS.filter((channel) => tariff?.channels.includes(channel) ?? true),
    rows: tariff ? priceRows(tariff.prices) : [{ currency: "USD", prices: {} }],
    priceListId: tariff?.priceListId ?? null,
    limits: Object.fromEntries(LIMITS.map((limit) => [limit, String(numbers[limit])])) as Record<
      Limit,
      string
    >,
  };
}

/** Returns whether the server would take it. Prices of channels that are not chosen are neither shown nor sent. */
export function isValid({ name, channels, rows, limits }: Draft): boolean {
  return (
    name.trim() !== "" &&
    rows.every((_row, index) => rowProblem(rows, index, channels) === null) &&
    rows.every(({ prices }) => channels.every((channel) => isPrice(prices[channel] ?? ""))) &&
    LIMITS.every((limit) => parseLimit(limit, limits[limit]) !== null)
  );
}

/**
 * Returns what differs from the form as it was opened. Fields that are not sent stay as they are on the server, so
 * changes that somebody else has made to them meanwhile are kept.
 */
export function patchOf(before: Draft, draft: Draft): Partial<SetTariff> {
  const [old, now] = [inputOf(before), inputOf(draft)];
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
  );
  return Object.fromEntries(changed);
}

/** Returns all fields of the form for the server. */
export function inputOf(draft: Draft) {
  return {
    name: draft.name.trim(),
    public: draft.public,
    channels: CHANNELS.filter((channel) => draft.channels.includes(channel)),
    prices: toPrices(draft.rows, draft.channels),
    priceListId: draft.priceListId,
    ...(Object.fromEntries(LIMITS.map((limit) => [limit, parseLimit(limit, draft.limits[limit])])) as Record<
      Limit,
      number | null
    >),
  };
}
