import type { Project } from "../model";

export type Outcome = NonNullable<Project["result"]>;

/** One number of the result, with the filter of the list that has its messages. */
export interface Figure {
  name: "accepted" | "delivered" | "cameBack" | "complained" | "replied" | "unsubscribed";
  /** null: it can't be measured */
  count: number | null;
  filter: string;
  bad?: boolean;
}

/**
 * Returns the numbers in the order in which they are read: what arrived comes first, which is what was accepted where the
 * route reports no delivery. Channels have only what there can be of them.
 */
export function figuresOf(result: Outcome, channel: string): Figure[] {
  const { accepted, delivered, cameBack, refused, complained, replied, unsubscribed } = result;
  const figures: Figure[] = [
    delivered === null
      ? { name: "accepted", count: accepted, filter: "status=sent,delivered,read" }
      : { name: "delivered", count: delivered, filter: "status=delivered,read" },
  ];
  if (channel === "email") {
    figures.push(
      {
        name: "cameBack",
        count: cameBack,
        // Those that were refused at once have no report, but all of them have failed.
        filter: (refused ?? 0) > 0 ? "status=failed" : "reaction=bounced",
        bad: (cameBack ?? 0) > 0,
      },
      { name: "complained", count: complained, filter: "reaction=complained", bad: (complained ?? 0) > 0 },
    );
  }
  figures.push({ name: "replied", count: replied, filter: "reaction=replied" });
  figures.push({ name: "unsubscribed", count: unsubscribed, filter: "reaction=unsubscribed" });
  return figures;
}
