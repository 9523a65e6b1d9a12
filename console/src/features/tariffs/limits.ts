/** The limits of a tariff, in the order in which they are shown. */
export const LIMITS = [
  "messagesPerDay",
  "messagesPerMinute",
  "maxConcurrentProjects",
  "maxRecipientsPerProject",
] as const;

export type Limit = (typeof LIMITS)[number];

/** The highest number that the server takes. */
export const HIGHEST: Record<Limit, number> = {
  messagesPerDay: 2_000_000_000,
  messagesPerMinute: 2_000_000_000,
  maxConcurrentProjects: 100_000,
  maxRecipientsPerProject: 2_000_000_000,
};

/** Returns the number that was typed, or null if it is none that the server takes. */
export function parseLimit(name: Limit, text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f]/g, "");
  return /^\d{1,10}$/.test(plain) && Number(plain) <= HIGHEST[name] ? Number(plain) : null;
}
