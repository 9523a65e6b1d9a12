import { describe, expect, it } from "vitest";
import { delayOf, draftOf, inputOf, isComplete, newStep } from "./draft";

describe("the draft of a series", () => {
  it("says a delay in the largest unit", () => {
    expect(delayOf(0)).toEqual({ amount: 0, unit: "minutes" });
    expect(delayOf(172_800)).toEqual({ amount: 2, unit: "days" });
    expect(delayOf(7_200)).toEqual({ amount: 2, unit: "hours" });
    expect(delayOf(5_400)).toEqual({ amount: 90, unit: "minutes" });
  });

  it("becomes an input", () => {
    const draft = {
      ...draftOf(undefined),
      name: " Welcome ",
      topic: "t",
      steps: [{ ...newStep(false), templateKey: "a" }],
    };
    expect(inputOf(draft)).toMatchObject({ name: "Welcome", topicId: "t", segmentId: null });
    expect(inputOf(draft).steps[0]).toMatchObject({ templateKey: "a", delay: 172_800 });
  });

  it("is complete with a name, a topic and a template in each step", () => {
    const draft = { ...draftOf(undefined), name: "W", topic: "t" };
    expect(isComplete(draft)).toBe(false);
    const whole = { ...draft, steps: [{ ...newStep(true), templateKey: "a" }] };
    expect(isComplete(whole)).toBe(true);
    expect(isComplete({ ...whole, topic: "", segment: "s" })).toBe(false);
    expect(isComplete({ ...whole, topic: "", segment: "s", category: "transactional" })).toBe(true);
  });
});
