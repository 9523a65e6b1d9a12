import type { RetryProject } from "../../../gql/graphql";
import type { Cause } from "../states";

interface Chosen {
  failed: readonly string[];
  skipped: readonly string[];
  unknown: boolean;
}

/**
 * Returns the input of the retry, and how many messages it sends again.
 *
 * If every cause of failing is chosen, the input selects all failed messages, because the list of causes has a limit.
 */
export function retryInput(
  causes: readonly Cause[],
  chosen: Chosen,
  counts: { failed: number; unknown: number },
): { input: RetryProject; count: number } {
  const fails = causes.filter(({ failed }) => failed > 0);
  const all = fails.every(({ code }) => chosen.failed.includes(code));
  const sum = (kind: "failed" | "skipped") =>
    causes.filter(({ code }) => chosen[kind].includes(code)).reduce((total, cause) => total + cause[kind], 0);
  return {
    input: {
      unknown: chosen.unknown,
      skipped: [...chosen.skipped],
      failed: all ? null : [...chosen.failed],
    },
    count: (all ? counts.failed : sum("failed")) + sum("skipped") + (chosen.unknown ? counts.unknown : 0),
  };
}
