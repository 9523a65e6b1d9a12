import { describe, expect, it } from "vitest";
import type { RecordRowFragment } from "../../../gql/graphql";
import { recordRow } from "./row";

const record: RecordRowFragment = {
  uuid: "r",
  direction: "outbound",
  channel: "email",
  to: "anna@example.com",
  body: "Hello Anna",
  status: "sent",
  failureCode: null,
  price: 0,
  queuedAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  sendingProject: { uuid: "p", name: "Week 47", subject: "{{ name }}, your week {% if a %}now{% endif %}" },
  account: null,
};

describe("a message of a project", () => {
  it("has the subject of its email, not the name of its project", () => {
    expect(recordRow(record)).toMatchObject({ title: "…, your week …now…", project: "Week 47" });
  });
  it("has no subject on channels without one", () => {
    expect(recordRow({ ...record, channel: "sms" }).title).toBe("");
  });
});
