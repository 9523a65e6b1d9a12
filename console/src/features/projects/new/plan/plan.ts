import type { ProjectPlanQuery } from "../../../../gql/graphql";

export type ServerPlan = NonNullable<ProjectPlanQuery["sendingProjectPlan"]>;

/** Returns the most messages a minute of a project's own settings and its owner's tariff; null: no limit. */
export function rateOf(options: {
  perMinute: number | null;
  perAccountPerMinute: number | null;
  senders: number;
  tariffPerMinute: number;
}): number | null {
  const { perMinute, perAccountPerMinute, senders, tariffPerMinute } = options;
  const limits: number[] = [];
  // A tariff of millions is no limit: the provider is slower.
  if (tariffPerMinute < 100_000) limits.push(tariffPerMinute);
  if (perMinute) limits.push(perMinute);
  if (perAccountPerMinute && senders > 0) limits.push(perAccountPerMinute * senders);
  return limits.length > 0 ? Math.min(...limits) : null;
}

export interface Trust {
  /** whether every recipient was examined */
  exact: boolean;
  /** the cost, if it is known */
  cost: number | null;
  /** the most that it can cost, if that differs from the cost */
  atMost: number | null;
}

/** Returns what the plan says about the cost, and how sure it is. */
export function trustOf(plan: Pick<ServerPlan, "exact" | "cost">): Trust {
  const { exact, cost } = plan;
  if (!cost) return { exact, cost: null, atMost: null };
  return { exact, cost: cost.amount, atMost: cost.atMost > cost.amount ? cost.atMost : null };
}

/**
 * Returns how many of a plan's messages the balance pays; null: all of them, or it is not known.
 *
 * It is rounded down to what can be promised: of an estimate only two digits are known.
 */
export function lastsFor(
  plan: Pick<ServerPlan, "exact" | "toSend" | "cost">,
  balance: number,
): number | null {
  const { exact, toSend, cost } = plan;
  if (!cost || cost.amount <= balance || toSend === 0) return null;
  const count = Math.floor((Math.max(0, balance) / cost.amount) * toSend + 1e-9);
  if (exact || count < 100) return count;
  const step = 10 ** (Math.floor(Math.log10(count)) - 1);
  return Math.floor(count / step) * step;
}

/** Returns the price of one message; undefined if the tariff has none. */
export function priceOf(prices: unknown, currency: string, channel: string): number | undefined {
  return (prices as Record<string, Record<string, number> | undefined> | undefined)?.[currency]?.[channel];
}
