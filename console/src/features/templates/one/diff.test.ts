import { expect, it } from "vitest";
import { linesOf } from "./diff";

it("tells the lines that came from those that went", () => {
  expect(linesOf("@@ -1,2 +1,2 @@\n Dear Ada\n-bye\n+so long\n+")).toEqual([
    { kind: "hunk", text: "@@ -1,2 +1,2 @@" },
    { kind: "same", text: "Dear Ada" },
    { kind: "removed", text: "bye" },
    { kind: "added", text: "so long" },
    { kind: "added", text: "" },
  ]);
});
