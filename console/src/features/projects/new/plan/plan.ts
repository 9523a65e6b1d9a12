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

/** Returns the price of one message; undefined if the tariff has none. */
export function priceOf(prices: unknown, currency: string, channel: string): number | undefined {
  return (prices as Record<string, Record<string, number> | undefined> | undefined)?.[currency]?.[channel];
}
