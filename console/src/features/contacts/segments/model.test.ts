import { describe, expect, it } from "vitest";
import type { ContactFieldType } from "../../../gql/graphql";
import { changedField, changedKind, filterOf, groupsOf, NEW, partsOf, type Draft } from "./model";

const TYPES = new Map<string, ContactFieldType>([
  ["city", "text"],
  ["orders", "number"],
  ["birthday", "date"],
  ["vip", "bool"],
  ["tags", "list"],
]);
const TOPIC = "01890000-0000-7000-8000-000000000002";

const ofField = (condition: object) => ({ contact: { fields: [condition] } });
const sent = (draft: Partial<Draft>) => filterOf([[{ ...NEW, ...draft }]], TYPES)?.all[0]?.any[0];

describe("the filter of a segment", () => {
  it("has values of the field's type", () => {
    expect(sent({ field: "city", value: " Berlin " })).toEqual({
      not: false,
      ...ofField({ key: "city", eq: "Berlin" }),
    });
    expect(sent({ field: "orders", operator: "in", value: "1, 2.5" })).toMatchObject(
      ofField({ key: "orders", in: [1, 2.5] }),
    );
    expect(sent({ field: "vip", value: "false" })).toMatchObject(ofField({ key: "vip", eq: false }));
    expect(sent({ field: "tags", operator: "notIn", value: "a,b" })).toMatchObject(
      ofField({ key: "tags", notIn: ["a", "b"] }),
    );
    expect(sent({ field: "birthday", operator: "inDays", days: 0 })).toMatchObject(
      ofField({ key: "birthday", inDays: 0 }),
    );
    expect(sent({ field: "city", operator: "unset", not: true })).toEqual({
      not: true,
      ...ofField({ key: "city", isSet: false }),
    });
  });
  it("is not there while a condition is not complete", () => {
    const whole: Draft = { ...NEW, field: "city", value: "Berlin" };
    const unfinished: Partial<Draft>[] = [
      {},
      { field: "city" },
      { field: "unknown", value: "Berlin" },
      { field: "orders", operator: "inDays", days: 1 },
      { field: "birthday", operator: "inDays", days: "" },
      { kind: "added", days: 0 },
      { kind: "history", days: 400 },
      { kind: "subscription" },
      { kind: "subscription", topic: TOPIC, states: [] },
      { kind: "subscription", topic: TOPIC, days: 0 },
      { kind: "channel" },
      { kind: "locale", value: " , " },
      { kind: "name", value: " " },
    ];
    for (const part of unfinished) expect(filterOf([[whole], [{ ...NEW, ...part }]], TYPES)).toBeNull();
    expect(filterOf([[whole]], TYPES)).not.toBeNull();
    expect(filterOf([], TYPES)).toBeNull();
  });
  it("begins with what a kind and a type usually have", () => {
    expect(changedKind(NEW, "history").days).toBe(90);
    expect(changedField(NEW, "birthday", TYPES)).toMatchObject({ operator: "inDays", days: 0 });
    expect(changedField(NEW, "city", TYPES)).toMatchObject({ operator: "eq", days: "" });
    expect(partsOf([[NEW, changedKind(NEW, "name")]])).toBe(4);
  });
});

describe("a stored filter", () => {
  it("is shown by the fields, and sent as it was", () => {
    const any = [
      ofField({ key: "city", eq: "Berlin" }),
      ofField({ key: "orders", gte: 3 }),
      ofField({ key: "birthday", withinDays: 90 }),
      ofField({ key: "tags", in: ["a"] }),
      { not: true, ...ofField({ key: "vip", isSet: true }) },
      { contact: { name: { contains: "Ann" } } },
      { contact: { locale: { in: ["de", "pt-BR"] } } },
      { contact: { channel: { eq: "email" } } },
      { contact: { createdWithinDays: 7 } },
      { subscription: { topicUuid: TOPIC } },
      { subscription: { topicUuid: TOPIC, states: ["withdrawn", "pending"], changedWithinDays: 3 } },
      { history: { event: "replied" } },
      { history: { event: "read", withinDays: 30, topicUuids: [TOPIC], channel: "sms" } },
    ];
    const groups = groupsOf({ all: [{ any }, { any: any.slice(0, 1) }] }, TYPES);
    expect(groups?.map((group) => group.length)).toEqual([any.length, 1]);
    expect(filterOf(groups ?? [], TYPES)).toMatchObject({ all: [{ any }, { any: any.slice(0, 1) }] });
  });
  it("is not shown by the fields if something of it would be lost", () => {
    const lost = [
      { contact: { fields: [{ key: "orders", gte: 3, lt: 5 }] } },
      {
        contact: {
          fields: [
            { key: "city", eq: "Berlin" },
            { key: "orders", eq: 1 },
          ],
        },
      },
      { contact: { name: { contains: "Ann" }, createdWithinDays: 7 } },
      { contact: { externalId: { eq: "customer-1" } } },
      { contact: { createdAt: { gte: "2027-01-01T00:00:00Z" } } },
      { contact: { channel: { notIn: ["sms"] } } },
      { contact: { locale: { in: ["a,b", "c"] } } },
      ofField({ key: "city", in: ["Frankfurt, Oder"] }),
      ofField({ key: "gone", eq: "x" }),
      { history: { event: "read", later: 1 } },
      { unknown: {} },
      {},
    ];
    for (const condition of lost) expect(groupsOf({ all: [{ any: [condition] }] }, TYPES)).toBeNull();
    for (const filter of [null, {}, { all: [] }, { all: [{ any: [] }] }]) {
      expect(groupsOf(filter, TYPES)).toBeNull();
    }
  });
});
