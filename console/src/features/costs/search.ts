import { parsePeriod, putPeriod, spanOf, type Period } from "../../frame/period/period";
import type { TrafficGroup, TrafficInput } from "../../gql/graphql";

/** What rows have in common, as addresses name it. */
export const GROUPS = {
  country: ["country"],
  route: ["route"],
  "country,route": ["country", "route"],
  sender: ["sender"],
  owner: ["owner"],
  channel: ["channel"],
} as const satisfies Record<string, readonly TrafficGroup[]>;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];
export const LISTED = 100;

export interface Search extends Period {
  group: Group;
}

/** Returns what an address asks for: by default the last 30 days by country. */
export function parseSearch(params: URLSearchParams): Search {
  const period = parsePeriod(params);
  const group = GROUP_NAMES.find((name) => name === params.get("group")) ?? "country";
  const some = period.range ?? period.from ?? period.until;
  return { ...period, range: some ? period.range : "30d", group };
}

export function searchParams({ group, ...period }: Search): URLSearchParams {
  const params = new URLSearchParams();
  putPeriod(params, period);
  if (group !== "country") params.set("group", group);
  return params;
}

/** Returns the question about traffic. `now` is the end of a range. */
export function inputOf({ group, ...period }: Search, now: number): TrafficInput {
  const span = spanOf(period, now);
  return {
    groupBy: [...GROUPS[group]],
    dateFrom: span?.gte ?? null,
    dateTo: span?.lt ?? null,
    page: 1,
    limit: LISTED,
  };
}
