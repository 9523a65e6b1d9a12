import { describe, expect, it } from "vitest";
import { pageOf, toldBy } from "./sentence";

describe("toldBy", () => {
  it("says which fields were changed", () => {
    const changes = { text: ["hmac:1", "hmac:2"], subject: [null, "Hi"] };
    expect(toldBy({ operation: "sending_projects.update", changes })).toEqual({
      whole: null,
      verb: "change",
      fields: ["text", "subject"],
      name: null,
    });
  });
  it("leaves out the time of the change itself", () => {
    const changes = { locales: [["en"], ["en", "de"]], updatedAt: ["2026-01-01", "2026-01-02"] };
    expect(toldBy({ operation: "template_versions.save", changes }).fields).toEqual(["locales"]);
  });
  it("takes what was made and what was deleted from the changes", () => {
    const made = toldBy({ operation: "sending_projects.create", changes: { name: [null, "Spring"] } });
    expect([made.verb, made.fields, made.name]).toEqual(["create", [], "Spring"]);
    expect(toldBy({ operation: "topics.delete", changes: { name: ["Spring", null] } }).verb).toBe("delete");
  });
  it("takes the first value of a field for a change", () => {
    expect(toldBy({ operation: "users.update", changes: { locale: [null, "ru"] } }).verb).toBe("change");
  });
  it("has deeds of their own", () => {
    expect(toldBy({ operation: "console.log_in", changes: {} }).whole).toBe("log_in");
    expect(
      toldBy({ operation: "sending_projects.start", changes: { status: ["draft", "running"] } }).verb,
    ).toBe("start");
  });
  it("takes what was refused from the operation", () => {
    expect(toldBy({ operation: "topics.delete", changes: {} }).verb).toBe("delete");
  });
  it("takes no hash for a name", () => {
    expect(toldBy({ operation: "contacts.update", changes: { name: ["hmac:1", "hmac:2"] } }).name).toBeNull();
  });
});

describe("pageOf", () => {
  it("leads to what has a page", () => {
    expect([pageOf("project", "1"), pageOf("login", "1"), pageOf("project", null)]).toEqual([
      "/projects/1",
      null,
      null,
    ]);
  });
});
