/** The last hours that a list can be limited to. */
export const RANGES = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const;

/** The last hours, by their name in RANGES, or the time from one instant until another. */
export interface Period {
  range: string | null;
  from: string | null;
  until: string | null;
}

export const ANY_TIME: Period = { range: null, from: null, until: null };

/** Returns the period that an address names. What is no time is left out. */
export function parsePeriod(params: URLSearchParams): Period {
  const range = params.get("range");
  return {
    range: range && range in RANGES ? range : null,
    from: timeOf(params.get("from")),
    until: timeOf(params.get("until")),
  };
}

/** Writes a period into an address. */
export function putPeriod(params: URLSearchParams, period: Period): void {
  for (const name of ["range", "from", "until"] as const) {
    const value = period[name];
    if (value) params.set(name, value);
  }
}

/** Returns the filter of a time; null: any time. `now` is the end of a range like "24h". */
export function spanOf(period: Period, now: number): { gte?: string; lt?: string } | null {
  const hours = period.range ? RANGES[period.range as keyof typeof RANGES] : 0;
  const gte = hours ? new Date(now - hours * 3_600_000).toISOString() : period.from;
  const lt = hours ? null : period.until;
  return gte || lt ? { ...(gte && { gte }), ...(lt && { lt }) } : null;
}

/** Returns the month before a moment, in UTC as statements and invoices count it. */
export function monthBefore(now: Date): { from: string; until: string } {
  const begin = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString();
  return { from: begin(-1), until: begin(0) };
}

export function isLimited(period: Period): boolean {
  return Boolean(period.range ?? period.from ?? period.until);
}

function timeOf(text: string | null): string | null {
  if (!text) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
