import { describe, expect, it } from "vitest";
import { partsOf } from "./progress";

const none = {
  total: 0,
  queued: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
  canceled: 0,
  replied: 0,
};

describe("the progress bar", () => {
  it("has a part for each outcome, and an empty end for what waits", () => {
    const parts = partsOf({ ...none, total: 10, sent: 1, delivered: 2, read: 1, failed: 2 });
    expect(parts).toEqual([
      { state: "delivered", count: 3, share: 30 },
      { state: "sent", count: 1, share: 10 },
      { state: "failed", count: 2, share: 20 },
    ]);
    expect(partsOf(none)).toEqual([]);
  });
  it("does not shrink while messages are prepared", () => {
    expect(partsOf({ ...none, total: 4, sent: 4 }, 10)).toEqual([{ state: "sent", count: 4, share: 40 }]);
  });
});
