import { describe, expect, it } from "vitest";
import { busyColumns, intervalOf, isOneColumn, topOf } from "./traffic";

const HOUR = 3_600_000;

describe("the time of a project", () => {
  it("has about a hundred columns at most", () => {
    expect(intervalOf(0, 60_000)).toBe("quarterHour");
    expect(intervalOf(0, 24 * HOUR)).toBe("quarterHour");
    expect(intervalOf(0, 25 * HOUR)).toBe("hour");
    expect(intervalOf(0, 96 * HOUR)).toBe("hour");
    expect(intervalOf(0, 97 * HOUR)).toBe("day");
    expect(intervalOf(0, 100 * 24 * HOUR)).toBe("week");
  });
  it("is in one column if it is within a quarter of an hour", () => {
    const quarter = HOUR / 4;
    expect(isOneColumn(10, quarter - 1)).toBe(true);
    expect(isOneColumn(quarter - 1, quarter)).toBe(false);
    expect(isOneColumn(0, 25 * HOUR)).toBe(false);
  });
  it("begins with the first message and ends with the last", () => {
    const column = (from: number, sent: number) => ({ from, sent, delivered: 0, failed: 0 });
    const columns = [column(0, 0), column(1, 5), column(2, 0), column(3, 1), column(4, 0)];
    expect(busyColumns(columns).map(({ from }) => from)).toEqual([1, 2, 3]);
    expect(busyColumns([column(0, 0)])).toEqual([]);
  });
  it("has a round top", () => {
    expect([1, 7, 130, 201, 9800, 100].map(topOf)).toEqual([4, 10, 200, 250, 10_000, 100]);
  });
});
