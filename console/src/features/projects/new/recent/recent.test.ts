import { expect, it } from "vitest";
import { startedLately } from "./recent";

const NOW = Date.parse("2027-01-02T12:00:00Z");
const started = (uuid: string, startedAt: string | null) => ({ uuid, name: uuid, startedAt });

it("takes projects of the last day that are not left out, three at most", () => {
  const rows = [
    started("draft", null),
    started("old", "2027-01-01T11:59:59Z"),
    started("own", "2027-01-02T11:00:00Z"),
    ...["a", "b", "c", "d"].map((uuid) => started(uuid, "2027-01-02T11:00:00Z")),
  ];
  expect(startedLately(rows, NOW, ["own", "b"]).map(({ uuid }) => uuid)).toEqual(["a", "c", "d"]);
});
