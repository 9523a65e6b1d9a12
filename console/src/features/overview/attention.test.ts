import { describe, expect, it } from "vitest";
import type { AttentionQuery, QueueFieldsFragment } from "../../gql/graphql";
import { matters } from "./attention";

const NONE = { direct: 0, project: 0 };
const account = {
  uuid: "a",
  name: "Main",
  plan: "pro",
  balance: 10,
  currency: "USD",
  lowBalance: null,
} as const;
const queue: QueueFieldsFragment = {
  queued: 0,
  sending: 0,
  oldestQueuedSeconds: 0,
  directQueued: null,
  directOldestSeconds: null,
  perMinute: 0,
  workers: [],
  routes: [],
};

const nothing: AttentionQuery = {
  me: null,
  sendingProjects: null,
  approvals: null,
  processingHealth: null,
  messengerAccounts: null,
  webhooks: null,
  eventFeed: null,
  tariff: null,
};

function withAccounts(...accounts: { balance: number; lowBalance: number | null }[]): AttentionQuery {
  return {
    ...nothing,
    me: {
      uuid: "u",
      accounts: { nodes: accounts.map((item, index) => ({ ...account, uuid: `${index}`, ...item })) },
    },
  };
}

describe("matters", () => {
  it("finds nothing when all is well", () => {
    expect(matters(withAccounts({ balance: 10, lowBalance: 5 }), queue, NONE)).toEqual([]);
  });

  it("distinguishes a low balance from an empty one, and puts the worse one first", () => {
    const items = matters(
      withAccounts({ balance: 4, lowBalance: 5 }, { balance: 0, lowBalance: null }),
      queue,
      NONE,
    );
    expect(items.map((item) => item.kind)).toEqual(["balanceEmpty", "balanceLow"]);
  });

  it("says nothing of balances while messages cost nothing, and goes on to say how much of the tariff is used", () => {
    const used = { messagesToday: 95, resetsAt: "2026-11-30T00:00:00Z" };
    const data = {
      ...withAccounts({ balance: 0, lowBalance: 5 }),
      tariff: { code: "default", messagesPerDay: 100, used },
    };
    expect(matters(data, queue, NONE, undefined, true).map((item) => item.kind)).toEqual([
      "tariffNearlyUsed",
    ]);
  });

  it("reports a route whose breaker is open, and a queue that nobody works on", () => {
    const items = matters(
      undefined,
      {
        ...queue,
        queued: 3,
        oldestQueuedSeconds: 300,
        routes: [
          { name: "sms-1", state: "closed", since: null, probeAt: null, waiting: null, waitingSince: null },
          {
            name: "sms-2",
            state: "open",
            since: null,
            probeAt: "2026-01-01T00:00:00Z",
            waiting: null,
            waitingSince: null,
          },
        ],
      },
      NONE,
    );
    expect(items.map((item) => item.id)).toEqual(["route-sms-2", "queue"]);
  });

  it("says how many messages wait for a provider that hangs, and since when", () => {
    const waitingSince = new Date(Date.now() - 125_000).toISOString();
    const open = { name: "sms-1", state: "open", since: waitingSince, probeAt: null } as const;
    const items = matters(
      undefined,
      {
        ...queue,
        directQueued: 18,
        directOldestSeconds: 125,
        routes: [{ ...open, waiting: 18, waitingSince }],
      },
      NONE,
    );
    expect(items.map((item) => item.kind)).toEqual(["routeWaits", "queueWaits"]);
    expect(items[0]?.amounts?.count).toBe(18);
    expect(Math.round(items[0]?.amounts?.seconds ?? 0)).toBe(125);
    expect(items[1]?.amounts).toEqual({ count: 18, seconds: 125 });
  });

  it("leads to unknown messages where they can be filtered", () => {
    expect(matters(nothing, queue, { direct: 1, project: 2 })[0]).toMatchObject({
      amounts: { count: 3 },
      link: "/messages?kind=project&status=unknown",
    });
    expect(matters(nothing, queue, { direct: 1, project: 0 })[0]?.link).toBe("/messages?status=unknown");
  });

  it("shows each error of the doctor, and its warnings together", () => {
    const finding = { topic: "keys", text: "too short", advice: "Make one." };
    const items = matters(nothing, queue, NONE, {
      doctor: {
        findings: [
          { severity: "error", ...finding },
          { severity: "warning", ...finding },
          { severity: "warning", ...finding },
          { severity: "ok", ...finding, advice: null },
        ],
      },
    });
    expect(items.map(({ kind, severity, link }) => [kind, severity, link])).toEqual([
      ["doctorError", "bad", "/system"],
      ["doctorWarnings", "warning", "/system"],
    ]);
    expect(items[0]?.values).toEqual(finding);
    expect(items[1]?.amounts).toEqual({ count: 2 });
  });

  it("says nothing of a doctor that has not answered, or finds nothing wrong", () => {
    expect(matters(nothing, queue, NONE, undefined)).toEqual([]);
    expect(matters(nothing, queue, NONE, { doctor: null })).toEqual([]);
    const well = { severity: "ok", topic: "keys", text: "long enough", advice: null } as const;
    expect(matters(nothing, queue, NONE, { doctor: { findings: [well] } })).toEqual([]);
  });

  it("reports a system that is not ready", () => {
    const data: AttentionQuery = {
      ...nothing,
      readiness: { status: "error", error: { database: { status: "down" } } },
    };
    expect(matters(data, queue, NONE)[0]).toMatchObject({
      kind: "systemError",
      values: { parts: "database" },
    });
  });
});
