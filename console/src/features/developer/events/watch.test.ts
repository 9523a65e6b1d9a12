import { describe, expect, it } from "vitest";
import { beginning, Progress, typesOf, withEvent, type Feed, type Seen } from "./watch";

const event = (uuid: string, second = 0) =>
  ({ uuid, cursor: `after ${uuid}`, at: new Date(second * 1000).toISOString() }) as Seen;

describe("watching events", () => {
  it("shows the newest first", () => {
    const list = withEvent(withEvent(withEvent([], event("a", 1)), event("c", 3)), event("b", 2));
    expect(list.map(({ uuid }) => uuid)).toEqual(["c", "b", "a"]);
    expect(withEvent(list, event("d", 3))[0]?.uuid).toBe("d");
  });
  it("keeps a bounded number", () => {
    let list: readonly Seen[] = [];
    for (let index = 0; index < 400; index++) list = withEvent(list, event(String(index), index));
    expect(list).toHaveLength(300);
    expect(list[0]?.uuid).toBe("399");
  });
  it("goes on where it was, and shows each event once", () => {
    const progress = new Progress("start");
    expect(progress.after("")).toBe("start");
    expect(progress.take("", event("a"))).toBe(true);
    expect(progress.take("", event("a"))).toBe(false);
    expect(progress.after("")).toBe("after a");
  });
  it("reads what a filter has left out, once it is gone", () => {
    const progress = new Progress("start");
    progress.take("", event("a"));
    progress.take("block.added", event("c"));
    expect(progress.after("block.added")).toBe("after c");
    expect(progress.after("block.removed")).toBe("after a");
    expect(progress.after("")).toBe("after a");
    expect(progress.take("", event("b"))).toBe(true);
    expect(progress.take("", event("c"))).toBe(false);
  });
  it("begins at the beginning of a small feed, and at the end of a large one", () => {
    const feed = { oldest: "first", newest: "last", count: 3 } as Feed;
    expect(beginning(feed)).toBe("first");
    expect(beginning({ ...feed, count: 100_000 })).toBe("last");
  });
  it("reads the types in an address", () => {
    expect(typesOf(new URLSearchParams("types=a,,b"))).toEqual(["a", "b"]);
    expect(typesOf(new URLSearchParams(""))).toEqual([]);
  });
});
