import { describe, expect, it } from "vitest";
import { differencesOf, pairsOf, sorted, type Difference } from "./plan";

const list = (recipients: number) => JSON.stringify({ recipients, digest: `${recipients}` });
const names = (differences: readonly Difference[]) => differences.map(({ field }) => field);

describe("the differences of two plans", () => {
  it("are texts, and lines in which no number stands twice", () => {
    const { texts, lines } = sorted([
      { field: "text", old: "Hi", new: "Hello" },
      { field: "audience", old: list(3), new: list(4) },
      { field: "recipients", old: "3", new: "4" },
      { field: "atMostRecipients", old: "3", new: "4" },
      { field: "atMost", old: "0.15", new: "0.2" },
    ]);
    expect(names(texts)).toEqual(["text"]);
    expect(names(lines)).toEqual(["audience", "atMost"]);
  });

  it("name the most recipients if the audience is of topics", () => {
    const topics = (id: string) => JSON.stringify({ definition: { topicUuids: [id] } });
    const { lines } = sorted([
      { field: "audience", old: topics("a"), new: topics("b") },
      { field: "recipients", old: "300", new: "400" },
      { field: "atMostRecipients", old: "310", new: "410" },
    ]);
    expect(names(lines)).toEqual(["audience", "atMostRecipients"]);
  });

  it("pair the variants one by one", () => {
    const variants = (...texts: string[]) => JSON.stringify(texts.map((text) => ({ text, weight: 1 })));
    expect(pairsOf({ field: "variants", old: variants("A"), new: variants("A", "B") })).toEqual([
      { old: "A\n\n× 1", now: "A\n\n× 1" },
      { old: "", now: "B\n\n× 1" },
    ]);
  });

  it("of a refused start become texts", () => {
    const details = { differences: [{ field: "speed", old: { perMinute: 10 }, new: null }] };
    expect(differencesOf(details)).toEqual([{ field: "speed", old: '{"perMinute":10}', new: null }]);
    expect(differencesOf(undefined)).toEqual([]);
  });
});
