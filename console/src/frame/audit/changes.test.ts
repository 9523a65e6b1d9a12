import { describe, expect, it } from "vitest";
import { changesOf } from "./changes";

describe("the changes of an entry", () => {
  it("are fields with both values as text", () => {
    expect(changesOf({ name: ["Spring", "Summer"], speed: [null, 10], scopes: [["a"], null] })).toEqual([
      { field: "name", before: "Spring", after: "Summer" },
      { field: "speed", before: null, after: "10" },
      { field: "scopes", before: '["a"]', after: null },
    ]);
  });
  it("have nothing of what was made without a value", () => {
    expect(changesOf({ tags: [null, []], retry: [null, {}], text: [null, ""], on: [null, false] })).toEqual([
      { field: "on", before: null, after: "false" },
    ]);
    expect(changesOf({ tags: [["a"], []] })).toHaveLength(1);
  });
  it("are cut where they are long", () => {
    const [change] = changesOf({ name: [null, "x".repeat(200)] });
    expect(change?.after).toHaveLength(81);
  });
  it("are none of an entry without", () => {
    expect(changesOf({})).toEqual([]);
    expect(changesOf(null)).toEqual([]);
  });
});
