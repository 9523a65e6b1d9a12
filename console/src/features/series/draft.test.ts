import { describe, expect, it } from "vitest";
import type { SeriesRowFragment } from "../../gql/graphql";
import { delayOf, draftOf, inputOf, isComplete, newStep, type StepDraft } from "./draft";

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

  const stored = {
    channel: "email",
    templateKey: "welcome",
    templateVersion: 3,
    templateLocale: "pt",
    localeFrom: null,
    delay: 60,
    after: "entry",
    from: "Ana <ana@example.com>",
    sender: null,
    accountUuids: ["s1"],
  } as const;
  const series = { name: "W", topicId: "t", steps: [stored] } as unknown as SeriesRowFragment;
  const edited = (changes: Partial<StepDraft>) => {
    const draft = draftOf(series);
    return inputOf({ ...draft, steps: draft.steps.map((step) => ({ ...step, ...changes })) }).steps[0];
  };
  const senders = { from: stored.from, sender: null, accountUuids: ["s1"] };

  it("leaves a step what the form does not show", () => {
    expect(edited({ amount: 2 })).toEqual({
      channel: "email",
      templateKey: "welcome",
      templateVersion: 3,
      locale: "pt",
      localeFrom: null,
      delay: 120,
      after: "entry",
      ...senders,
    });
  });

  it("takes the newest version of a template in the language of the step, if so asked", () => {
    const step = edited({ newest: true });
    expect(step).toMatchObject({ templateKey: "welcome", locale: "pt", ...senders });
    expect(step).not.toHaveProperty("templateVersion");
  });

  it("forgets version and language with the template, and the senders with the channel", () => {
    const other = edited({ templateKey: "other" });
    expect(other).toMatchObject(senders);
    for (const name of ["templateVersion", "locale"]) expect(other).not.toHaveProperty(name);
    const sms = edited({ channel: "sms" });
    expect(sms).toMatchObject({ channel: "sms", templateVersion: 3, locale: "pt" });
    for (const name of Object.keys(senders)) expect(sms).not.toHaveProperty(name);
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
