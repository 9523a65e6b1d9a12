import { describe, expect, it } from "vitest";
import { beginning, typesOf, withEvent, type Feed, type Seen } from "./watch";

const event = (uuid: string) => ({ uuid }) as Seen;

describe("watching events", () => {
  it("shows the newest first, and each once", () => {
    const list = withEvent(withEvent(withEvent([], event("a")), event("b")), event("a"));
    expect(list.map(({ uuid }) => uuid)).toEqual(["b", "a"]);
  });
  it("keeps a bounded number", () => {
    let list: readonly Seen[] = [];
    for (let index = 0; index < 400; index++) list = withEvent(list, event(String(index)));
    expect(list).toHaveLength(300);
    expect(list[0]?.uuid).toBe("399");
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
