import { expect, test } from "vitest";
import { fieldOf, hasIdentity, mappingOf, usesOf, withUse, wrongFields } from "./mapping";

const columns = ["Id", "Name", "Email", "Phone", "City", "Note"].map((name) => ({ name, samples: [] }));
const mapping = {
  externalId: "Id",
  name: "name",
  addresses: [
    { channel: "email" as const, column: "Email" },
    { channel: "sms" as const, column: "Phone" },
  ],
  fields: { city: "City" },
};

test("the server's mapping says what each column is used for, and comes back as it was", () => {
  const used = usesOf(columns, mapping);
  expect(used.map(({ use }) => use)).toEqual(["externalId", "name", "email", "sms", "field", "none"]);
  expect(mappingOf(used)).toEqual({ ...mapping, name: "Name" });
});

test("consent, a last name and a first name that is a field, too, come back as they were", () => {
  const names = [
    "First Name",
    "Last Name",
    "Email",
    "OPTIN_TIME",
    "OPTIN_IP",
    "attributes",
    "attributes.city",
  ];
  const asked = {
    name: "First Name",
    lastName: "Last Name",
    consent: { at: "OPTIN_TIME", ip: "OPTIN_IP" },
    addresses: [{ channel: "email" as const, column: "Email" }],
    fields: { First_Name: "First Name", Last_Name: "Last Name", city: "attributes.city" },
  };
  const used = usesOf(
    names.map((name) => ({ name, samples: [] })),
    asked,
  );
  expect(mappingOf(used)).toEqual(asked);
  expect(mappingOf(withUse(used, 0, "none")).fields).toEqual({
    Last_Name: "Last Name",
    city: "attributes.city",
  });
  expect(mappingOf(withUse(used, 5, "consentAt")).consent).toEqual({ at: "attributes", ip: "OPTIN_IP" });
});

test("a part has one column, and the one that had it becomes a field", () => {
  const used = withUse(usesOf(columns, mapping), 5, "name");
  expect(used.map(({ use, field }) => [use, field])).toContainEqual(["field", "Name"]);
  expect(mappingOf(used)).toMatchObject({ name: "Note", fields: { city: "City", Name: "Name" } });
  expect(withUse(used, 0, "email").filter(({ use }) => use === "email")).toHaveLength(2);
});

test("rows without an id and an address are about nobody", () => {
  const named = usesOf(columns, { name: "Name" });
  expect(hasIdentity(named)).toBe(false);
  expect(hasIdentity(withUse(named, 3, "whatsapp"))).toBe(true);
});

test("a field has a name of its own, in the letters of programs", () => {
  expect(fieldOf("2. Order No.")).toBe("Order_No");
  const used = withUse(usesOf(columns, mapping), 5, "field");
  expect(wrongFields(used).size).toBe(0);
  const named = (field: string) =>
    wrongFields(used.map((one) => (one.name === "Note" ? { ...one, field } : one)));
  expect([...named("city")]).toEqual(["city"]);
  expect([...named("Город")]).toEqual(["Город"]);
  expect([...named("")]).toEqual([""]);
});
