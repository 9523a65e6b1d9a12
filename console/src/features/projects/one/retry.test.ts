import { describe, expect, it } from "vitest";
import { retryInput } from "./retry";

const causes = [
  { code: "timeout", failed: 3, skipped: 0 },
  { code: "blocked", failed: 1, skipped: 4 },
];
const counts = { failed: 5, unknown: 2 };

describe("retryInput", () => {
  it("asks for all failed messages if every cause is chosen", () => {
    expect(
      retryInput(causes, { failed: ["timeout", "blocked"], skipped: [], unknown: false }, counts),
    ).toEqual({ input: { unknown: false, skipped: [], failed: null }, count: 5 });
  });
  it("asks for the chosen causes, and keeps failing and skipping apart", () => {
    expect(retryInput(causes, { failed: ["timeout"], skipped: ["blocked"], unknown: true }, counts)).toEqual({
      input: { unknown: true, skipped: ["blocked"], failed: ["timeout"] },
      count: 9,
    });
  });
  it("asks for no failed message if no cause is chosen", () => {
    expect(retryInput(causes, { failed: [], skipped: ["blocked"], unknown: false }, counts)).toEqual({
      input: { unknown: false, skipped: ["blocked"], failed: [] },
      count: 4,
    });
  });
});
