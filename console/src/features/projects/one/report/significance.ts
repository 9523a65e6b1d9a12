/** How many of a variant's messages had the outcome that is compared. */
export interface Arm {
  trials: number;
  hits: number;
}

export type Verdict =
  /** fewer than two variants were sent, or none has the outcome */
  | { kind: "nothing" }
  /** the test needs more outcomes: about so many messages of each variant */
  | { kind: "few"; best: number; needed: number }
  /** the difference may be chance; so many messages of each variant would tell it apart, null: they are alike */
  | { kind: "early"; best: number; next: number; needed: number | null }
  /** the best one beats `beaten`; beside `open` it is too early to tell */
  | { kind: "best"; best: number; beaten: number[]; open: number[]; p: number };

/** A difference that chance would make in fewer than one of twenty comparisons is told. */
const ALPHA = 0.05;
/** A needed number of messages finds a difference of this size in four of five cases. */
const POWER = 0.8;
/** The normal approximation holds if every group is expected to have so many hits and misses. */
const LEAST_EXPECTED = 5;

/**
 * Says which variant did best, and whether that may be chance.
 *
 * Two proportions are compared by the pooled z-test, both ways. With several variants every pair is compared, and the
 * p-values are corrected by Holm's method, so that the best of many is not believed too soon.
 */
export function compare(arms: readonly Arm[]): Verdict {
  const sent = arms.map((arm, index) => ({ ...arm, index })).filter(({ trials }) => trials > 0);
  const hits = sent.reduce((sum, arm) => sum + arm.hits, 0);
  if (sent.length < 2 || hits === 0) return { kind: "nothing" };
  const ranked = [...sent].sort((one, other) => shareOf(other) - shareOf(one) || other.trials - one.trials);
  const [best, next] = ranked as [Ranked, Ranked, ...Ranked[]];
  const pairs = ranked.flatMap((one, place) => ranked.slice(place + 1).map((other) => ({ one, other })));
  const adjusted = holm(pairs.map(({ one, other }) => (isLarge(one, other) ? pOf(one, other) : 1)));
  const ofBest = pairs
    .map((pair, place) => ({ ...pair, p: adjusted[place] ?? 1 }))
    .filter(({ one }) => one === best);
  const beaten = ofBest.filter(({ p }) => p < ALPHA);
  if (beaten.length > 0) {
    return {
      kind: "best",
      best: best.index,
      beaten: beaten.map(({ other }) => other.index).sort((one, other) => one - other),
      open: ofBest
        .filter(({ p }) => p >= ALPHA)
        .map(({ other }) => other.index)
        .sort((one, other) => one - other),
      p: Math.max(...beaten.map(({ p }) => p)),
    };
  }
  if (!ofBest.some(({ one, other }) => isLarge(one, other))) {
    return { kind: "few", best: best.index, needed: enoughFor(sent) };
  }
  return { kind: "early", best: best.index, next: next.index, needed: needed(best, next, pairs.length) };
}

type Ranked = Arm & { index: number };

function shareOf({ trials, hits }: Arm): number {
  return hits / trials;
}

/** Returns the probability that chance alone makes a difference as large as this one, in either direction. */
export function pOf(one: Arm, other: Arm): number {
  const pooled = (one.hits + other.hits) / (one.trials + other.trials);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.trials + 1 / other.trials));
  if (error === 0) return 1;
  return 2 * (1 - normal(Math.abs(shareOf(one) - shareOf(other)) / error));
}

/** Returns p-values that hold for all comparisons together, by Holm's method, in the order of the given ones. */
export function holm(values: readonly number[]): number[] {
  const adjusted = Array<number>(values.length).fill(1);
  let largest = 0;
  values
    .map((p, index) => ({ p, index }))
    .sort((one, other) => one.p - other.p)
    .forEach(({ p, index }, place) => {
      largest = Math.max(largest, Math.min(1, p * (values.length - place)));
      adjusted[index] = largest;
    });
  return adjusted;
}

function isLarge(one: Arm, other: Arm): boolean {
  const pooled = (one.hits + other.hits) / (one.trials + other.trials);
  const smaller = Math.min(one.trials, other.trials);
  return smaller * Math.min(pooled, 1 - pooled) >= LEAST_EXPECTED;
}

/** Returns how many messages of each variant let the test begin. */
function enoughFor(arms: readonly Arm[]): number {
  const trials = arms.reduce((sum, arm) => sum + arm.trials, 0);
  const share = arms.reduce((sum, arm) => sum + arm.hits, 0) / trials;
  const rarer = Math.min(share, 1 - share);
  // All messages had the outcome: one that had not is as rare as the next message would make it.
  return Math.ceil(LEAST_EXPECTED / (rarer > 0 ? rarer : 1 / (trials + 1)));
}

/** Returns how many messages of each of two variants tell their shares apart; null if these are the same. */
export function needed(one: Arm, other: Arm, comparisons = 1): number | null {
  const [first, second] = [shareOf(one), shareOf(other)];
  if (first === second) return null;
  const middle = (first + second) / 2;
  const sum =
    quantile(1 - ALPHA / comparisons / 2) * Math.sqrt(2 * middle * (1 - middle)) +
    quantile(POWER) * Math.sqrt(first * (1 - first) + second * (1 - second));
  return Math.ceil((sum / (first - second)) ** 2);
}

/** The distribution function of the normal distribution (Abramowitz and Stegun 26.2.17; its error is below 1e-7). */
export function normal(z: number): number {
  if (z < 0) return 1 - normal(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

/** The inverse of `normal`. */
function quantile(probability: number): number {
  let [low, high] = [-8, 8];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (normal(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
