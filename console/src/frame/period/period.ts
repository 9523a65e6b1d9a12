/** The last hours that a list can be limited to. */
export const RANGES = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const;

/** The last hours, by their name in RANGES, or the time from one instant until another. */
export interface Period {
  range: string | null;
  from: string | null;
  until: string | null;
}
