import { describe, expect, it } from "vitest";
import { isExample, valueColumns } from "./columns";

describe("the columns of an export", () => {
  it("has one for each value that is named", () => {
    expect(valueColumns(" city, plan,,city ")).toEqual(["variables.city", "variables.plan"]);
    expect(valueColumns("")).toEqual([]);
  });
  it("does not offer the example of one", () => {
    expect(["address", "variables", "variables.city"].map((name) => isExample({ name }))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
