import { expect, it } from "vitest";
import { addressOf, filterOf, nameOf } from "./those";

const P = "01890000-0000-7000-8000-00000000abcd";
const history = (event: string) => ({ history: { event, projectUuids: [P], withinDays: 366 } });

it("asks for those who got the message and did not answer", () => {
  expect(filterOf("silent", P, true)).toEqual({
    all: [{ any: [history("delivered")] }, { any: [{ not: true, ...history("replied") }] }],
  });
});

it("takes what was sent and neither failed nor came back where no delivery is reported", () => {
  expect(filterOf("reached", P, false).all).toEqual([
    { any: [history("sent")] },
    { any: [{ not: true, ...history("failed") }] },
    { any: [{ not: true, ...history("bounced") }] },
  ]);
});

it("names a segment of at most a hundred characters by the project", () => {
  const name = nameOf({ name: "x".repeat(200), uuid: P }, "did not answer");
  expect(name).toHaveLength(100);
  expect(name.endsWith(": did not answer (abcd)")).toBe(true);
});

it("leads to a new project with the topics of the first one", () => {
  const audience = { topicUuids: ["a", "b"] };
  expect(addressOf("s", { channel: "email", category: "promotional", audience })).toBe(
    "/projects/new?segment=s&channel=email&category=promotional&topic=a%2Cb",
  );
});
