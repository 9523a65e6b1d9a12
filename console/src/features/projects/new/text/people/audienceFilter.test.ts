import { expect, it } from "vitest";
import { audienceFilter } from "./audienceFilter";

it("asks for subscribers of a topic, without those of another one, in the segment", () => {
  const segment = { all: [{ any: [{ contact: { fields: [{ key: "city", eq: "Paris" }] } }] }] };
  const audience = { topicUuids: ["a", "b"], exceptTopicUuids: ["c"] };
  expect(audienceFilter(audience, "email", segment).all).toEqual([
    { any: [{ contact: { channel: { eq: "email" } } }] },
    {
      any: [
        { subscription: { topicUuid: "a", channel: "email" } },
        { subscription: { topicUuid: "b", channel: "email" } },
      ],
    },
    { any: [{ not: true, subscription: { topicUuid: "c", channel: "email" } }] },
    ...segment.all,
  ]);
});

it("asks for everybody on the channel otherwise", () => {
  expect(audienceFilter({}, "sms", null)).toEqual({
    all: [{ any: [{ contact: { channel: { eq: "sms" } } }] }],
  });
});
