/** What the panel shows of a document, which is JSON. */
export interface Facts {
  counts: Record<"materialised" | "sent" | "skipped" | "failed" | "unknown" | "canceled", number>;
  currency: string;
  charged: number;
  refunded: number;
  prices: number;
  differences: { what: string; counted: string; recorded: string }[];
}

interface Total {
  total: number;
}

interface Document {
  counts: Record<"sent" | "skipped" | "failed" | "unknown" | "canceled", Total> & { materialised: number };
  money: { currency: string; charged: string; refunded: string; prices: string };
  differences: Facts["differences"];
}

/** Returns the facts of a document of the server. Amounts are texts in it, with all their digits. */
export function factsOf(json: unknown): Facts {
  const { counts, money, differences } = json as Document;
  return {
    counts: {
      materialised: counts.materialised,
      sent: counts.sent.total,
      skipped: counts.skipped.total,
      failed: counts.failed.total,
      unknown: counts.unknown.total,
      canceled: counts.canceled.total,
    },
    currency: money.currency,
    charged: Number(money.charged),
    refunded: Number(money.refunded),
    prices: Number(money.prices),
    differences,
  };
}
