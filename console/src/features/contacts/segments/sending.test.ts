import { expect, test } from "vitest";
import { addressOf } from "./sending";

const TOPICS = [
  { uuid: "news", category: "promotional" as const },
  { uuid: "bills", category: "transactional" as const },
];
const to = (...conditions: object[]) =>
  addressOf("s", { all: conditions.map((condition) => ({ any: [condition] })) }, TOPICS);
const subscribed = (topicUuid: string, more: object = {}) => ({ subscription: { topicUuid, ...more } });

test("the topic and the channel that a segment demands of everybody", () => {
  expect(to(subscribed("news", { channel: "email" }))).toBe(
    "/projects/new?segment=s&category=promotional&topic=news&channel=email",
  );
  expect(to(subscribed("bills"))).toBe("/projects/new?segment=s&category=transactional&topic=bills");
  expect(to(subscribed("news"), subscribed("bills"))).toBe(
    "/projects/new?segment=s&category=promotional&topic=news",
  );
});

test("what is not demanded of everybody is not chosen", () => {
  const plain = "/projects/new?segment=s";
  expect(to({ contact: { locale: { eq: "de" } } })).toBe(plain);
  expect(to({ not: true, ...subscribed("news") })).toBe(plain);
  expect(to(subscribed("news", { states: ["withdrawn"] }))).toBe(plain);
  expect(to(subscribed("deleted"))).toBe(plain);
  const either = { any: [subscribed("news"), { contact: { locale: { eq: "de" } } }] };
  expect(addressOf("s", { all: [either] }, TOPICS)).toBe(plain);
});
