import { describe, expect, it } from "vitest";
import type { NewcomerQuery } from "../../gql/graphql";
import { firstSteps } from "./firstSteps";

const nothing: NewcomerQuery = {
  messages: { nodes: [] },
  delivered: { nodes: [] },
  accepted: { nodes: [] },
  sendingProjects: { nodes: [] },
  messengerAccounts: { nodes: [] },
  apiTokens: { nodes: [] },
};
const message = { uuid: "m", metadata: {} };
const counts = { total: 2, sent: 0, delivered: 0, read: 0 };

describe("first steps", () => {
  it("are not shown before it is known that they are needed", () => {
    expect(firstSteps(undefined)).toBeNull();
  });
  it("end with the first message that was delivered, direct or of a project", () => {
    expect(firstSteps({ ...nothing, delivered: { nodes: [message] } })).toBeNull();
    const projects = { nodes: [{ uuid: "p", channel: "sms" as const, counts: { ...counts, read: 1 } }] };
    expect(firstSteps({ ...nothing, sendingProjects: projects })).toBeNull();
  });
  it("end with the first message that was accepted where the channel reports no delivery", () => {
    const silent = new Set(["email"]);
    const accepted = { nodes: [{ ...message, channel: "email" as const }] };
    expect(firstSteps({ ...nothing, accepted })).not.toBeNull();
    expect(firstSteps({ ...nothing, accepted }, silent)).toBeNull();
    const projects = (channel: "email" | "sms") => ({
      nodes: [{ uuid: "p", channel, counts: { ...counts, sent: 1 } }],
    });
    expect(firstSteps({ ...nothing, sendingProjects: projects("sms") }, silent)).not.toBeNull();
    expect(firstSteps({ ...nothing, sendingProjects: projects("email") }, silent)).toBeNull();
  });
  it("do not count what a demo begins with", () => {
    const seeded = { ...message, metadata: { subject: "Welcome", demo: true } };
    const seen = { messages: { nodes: [seeded] }, delivered: { nodes: [seeded] } };
    expect(firstSteps({ ...nothing, ...seen })?.send).toBe(false);
  });
  it("say what is done", () => {
    expect(
      firstSteps({
        ...nothing,
        messages: { nodes: [message] },
        sendingProjects: { nodes: [{ uuid: "p", channel: "sms" as const, counts }] },
        apiTokens: { nodes: [{ uuid: "t" }] },
      }),
    ).toEqual({ send: true, campaign: true, phone: false, token: true });
  });
});
