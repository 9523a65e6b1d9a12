import { expect, it } from "vitest";
import { EMPTY, newProjectOf } from "./draft";
import { followUpOf, refusedState, secondsOf, spanOf, spanText, statesOf, type Followed } from "./follow";

const FOLLOWED: Followed = {
  uuid: "a",
  name: "Renewal",
  channel: "email",
  category: "transactional",
  accountId: "m",
  audience: { topicUuids: ["t"] },
};
const BAD_CHAIN = { code: "bad_chain", message: "Use another state.", fields: {} };

it("makes a follow-up on another channel, with the same category, payer and topics", () => {
  const made = newProjectOf({ ...EMPTY, ...followUpOf(FOLLOWED, "Renewal – follow-up") });
  expect(made).toMatchObject({
    name: "Renewal – follow-up",
    channel: "sms",
    category: "transactional",
    accountId: "m",
    audience: { topicUuids: ["t"], follows: { projectUuid: "a", within: 86_400 } },
  });
  expect(made.audience?.follows).not.toHaveProperty("until");
  const alone = followUpOf({ ...FOLLOWED, channel: "sms", audience: null }, "x".repeat(300));
  expect([alone.channel, alone.audience?.topicUuids, alone.name?.length]).toEqual(["email", [], 200]);
});

it("writes a time in the largest whole scale, and reads it again", () => {
  expect(spanOf(3600)).toEqual({ count: 1, scale: "hour" });
  expect(spanOf(5400)).toEqual({ count: 90, scale: "minute" });
  expect(spanOf(172_800)).toEqual({ count: 2, scale: "day" });
  expect([spanText("en", 3600), spanText("en", 259_200)]).toEqual(["1 hour", "3 days"]);
  for (const seconds of [60, 90 * 60, 3600, 2_592_000]) {
    const { count, scale } = spanOf(seconds);
    expect(secondsOf(count, scale)).toBe(seconds);
  }
});

it("takes a minute at least, and 30 days at most", () => {
  expect([secondsOf(0, "minute"), secondsOf(1.5, "hour"), secondsOf(31, "day")]).toEqual([null, null, null]);
});

it("offers the states that a channel reports", () => {
  expect(statesOf("telegram")).not.toContain("delivered");
  expect(statesOf("whatsapp")).toContain("read");
  expect(statesOf("email")).toEqual(["accepted", "delivered"]);
});

it("shows a refusal at the state only if somebody has chosen it", () => {
  const follows = { projectUuid: "a", within: 60 };
  const chosen = { ...EMPTY, audience: { follows: { ...follows, until: "read" } } } as const;
  expect(refusedState(chosen, BAD_CHAIN)).toBe("Use another state.");
  expect(refusedState({ ...EMPTY, audience: { follows } }, BAD_CHAIN)).toBeUndefined();
  expect(refusedState(chosen, null)).toBeUndefined();
});
