import { plainPhone } from "../../frame/values/phone";
import type { MessageCategory, RouteRuleInput } from "../../gql/graphql";

export const CATEGORIES = ["transactional", "promotional"] as const satisfies readonly MessageCategory[];
const LARGEST = 1000;

/** What the form of a rule has. */
export interface Draft extends Record<string, unknown> {
  prefix: string;
  route: string | null;
  category: MessageCategory | null;
  ownerId: string | null;
  priority: string;
  weight: string;
  fallback: boolean;
}

export const EMPTY: Draft = {
  prefix: "",
  route: null,
  category: null,
  ownerId: null,
  priority: "0",
  weight: "1",
  fallback: true,
};

/** Returns whether a text is a whole number from `least` to 1000. */
export function isWhole(text: string, least: number): boolean {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isInteger(number) && number >= least && number <= LARGEST;
}

/** Returns whether a text is the beginning of international numbers, or empty for all numbers. */
export function isPrefix(text: string): boolean {
  return /^(\+?[1-9]\d{0,14})?$/.test(plainPhone(text));
}

/** Returns what the server is asked to store; the route is chosen by then. */
export function inputOf({ prefix, route, priority, weight, ...rest }: Draft): RouteRuleInput {
  return {
    ...rest,
    prefix: plainPhone(prefix),
    route: route ?? "",
    priority: Number(priority),
    weight: Number(weight),
  };
}
