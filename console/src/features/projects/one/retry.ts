import type { RetryProject } from "../../../gql/graphql";
import type { Cause } from "../states";

interface Chosen {
  failed: readonly string[];
  skipped: readonly string[];
  unknown: boolean;
}

/**
 * Returns what the server is asked to send again, and how many messages that is.
 *
 * If every cause of failing is chosen, all failed messages are asked for: the list of causes has an end.
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
