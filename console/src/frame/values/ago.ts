const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns how long ago a time of the last day was, in words; null for the future and for older times. */
export function agoOf(
  at: number,
  now: number,
  say: (value: number, unit: "minute" | "hour") => string,
  justNow: string,
): string | null {
  const seconds = (now - at) / 1000;
  // The clocks of the server and the browser may differ by some seconds.
  if (seconds < -5 || seconds >= DAY) return null;
  if (seconds < MINUTE) return justNow;
  if (seconds < HOUR) return say(-Math.floor(seconds / MINUTE), "minute");
  return say(-Math.floor(seconds / HOUR), "hour");
}
