import { describe, expect, it } from "vitest";
import { actionsOf, canBeFollowed, causesOf, isEditable, PROJECT_STATES } from "./states";
import { runsOf } from "./useWindowText";
import { orderOf, parseSearch, searchParams, whereOf } from "./list/search";

describe("states", () => {
  it("offer a follow-up once a project was started", () => {
    const startedAt = "2026-11-30T00:00:00Z";
    const possible = PROJECT_STATES.filter((status) => canBeFollowed({ status, startedAt }));
    expect(possible).toEqual(["running", "paused", "stopped", "finished"]);
    expect(canBeFollowed({ status: "stopped", startedAt: null })).toBe(false);
  });
  it("allow what the server allows", () => {
    expect(actionsOf("running")).toEqual(["stop"]);
    expect(actionsOf("scheduled")[0]).toBe("startNow");
    expect([isEditable("stopped"), isEditable("running"), isEditable("finished")]).toEqual([
      true,
      false,
      false,
    ]);
  });
  it("distinguish causes of skipping from those of failing", () => {
    const reasons = [
      { code: "rejected", count: 2, skipped: 0 },
      { code: "blocked", count: 4, skipped: 3 },
      { code: "timeout", count: 5, skipped: null },
    ];
    expect(causesOf(reasons)).toEqual([
      { code: "rejected", failed: 2, skipped: 0 },
      { code: "blocked", failed: 1, skipped: 3 },
      { code: "timeout", failed: 5, skipped: 0 },
    ]);
  });
  it("join days that follow each other", () => {
    expect(runsOf([5, 1, 2, 7, 3])).toEqual([
      [1, 3],
      [5, 5],
      [7, 7],
    ]);
  });
});

describe("the search", () => {
  it("is in the address, without what is usual or unknown", () => {
    const search = parseSearch(new URLSearchParams("name=spring&status=running,nonsense&order=name"));
    expect(searchParams(search).toString()).toBe("name=spring&status=running&order=name");
    expect(whereOf(search)).toEqual({ name: { contains: "spring" }, status: { in: ["running"] } });
    expect(orderOf(search)).toEqual({ field: "name", direction: "asc" });
    expect(searchParams(parseSearch(new URLSearchParams())).toString()).toBe("");
    expect(whereOf(parseSearch(new URLSearchParams("user=0191")))).toEqual({ ownerId: { eq: "0191" } });
  });
});
