import { expect, it } from "vitest";
import { variablesOf } from "./variables";

it("offers the fields of contacts first, and samples last", () => {
  const ofContacts = [
    { name: "name", label: null, isField: false },
    { name: "City", label: "Town", isField: true },
  ];
  expect(variablesOf(ofContacts, ["unsubscribe_url"], ["city", "code", "name"], "test data")).toEqual([
    { name: "City", label: "Town" },
    { name: "name", label: null },
    { name: "unsubscribe_url", label: null },
    { name: "code", label: "test data" },
  ]);
});
