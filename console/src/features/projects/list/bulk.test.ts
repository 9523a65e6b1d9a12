import { describe, expect, it } from "vitest";
import { PROJECT_STATES } from "../states";
import { BULK, fits } from "./bulk";

describe("an action on several projects", () => {
  it("is possible in the states that docs/states.md allows", () => {
    const possible = (failed: number) =>
      Object.fromEntries(
        BULK.map((action) => [
          action,
          PROJECT_STATES.filter((status) => fits(action, { status, counts: { failed } })),
        ]),
      );
    expect(possible(1)).toEqual({
      stop: ["scheduled", "running", "paused"],
      retry: ["stopped", "finished"],
      delete: ["draft", "scheduled", "stopped", "finished"],
    });
    expect(possible(0).retry).toEqual([]);
  });
});
