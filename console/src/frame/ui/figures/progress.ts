export interface Counts {
  total: number;
  delivered: number;
  read: number;
  sent: number;
  unknown: number;
  failed: number;
  skipped: number;
  canceled: number;
}

export interface Part {
  state: "delivered" | "sent" | "unknown" | "failed" | "skipped";
  count: number;
  /** percent of the whole bar */
  share: number;
}

/**
 * The parts of the progress bar. What is queued or being sent is its empty end, and so is what is still being prepared:
 * `total` counts it already.
 */
export function partsOf(counts: Counts, total: number = counts.total): Part[] {
  const numbers = {
    delivered: counts.delivered + counts.read,
    sent: counts.sent,
    unknown: counts.unknown,
    failed: counts.failed,
    skipped: counts.skipped + counts.canceled,
  };
  if (total === 0) return [];
  return Object.entries(numbers)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => ({ state: state as Part["state"], count, share: (count / total) * 100 }));
}
