import { describe, expect, it } from "vitest";
import { Feed, type Source } from "./feed";
import type { Page } from "../../../frame/list/PagedList";
import type { Row } from "./row";

function row(number: number, part: Partial<Row> = {}): Row {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
  return {
    uuid: `message-${number}`,
    channel: "sms",
    inbound: false,
    address: "+14155550100",
    title: "",
    text: "",
    state: "queued",
    failureCode: null,
    sendAt: null,
    price: 0,
    currency: "USD",
    at,
    updatedAt: at,
    project: null,
    ...part,
  };
}

function page(rows: Row[], next: string | null = null): Page<Row> {
  const pageInfo = { hasNextPage: next !== null, endCursor: next };
  return { page: { nodes: rows, pageInfo }, error: undefined };
}

function feedOf(pages: Record<string, Page<Row>>, part: Partial<Source> = {}): Feed {
  return new Feed({
    kind: "direct",
    states: [],
    newestFirst: true,
    page: (after) => Promise.resolve(pages[after ?? "first"] ?? page([])),
    changes: () => Promise.resolve(page([])),
    ...part,
  });
}

describe("Feed", () => {
  it("reads page by page until the end, and shows no row twice", async () => {
    const feed = feedOf({
      first: page([row(9), row(8)], "8"),
      8: page([row(8), row(7)]),
    });
    await feed.reload();
    await feed.more();
    await feed.more();
    expect(feed.state.get().rows.map((item) => item.uuid)).toEqual(["message-9", "message-8", "message-7"]);
    expect(feed.state.get().complete).toBe(true);
  });

  it("changes rows in place and counts new ones, without moving anything", async () => {
    const feed = feedOf({ first: page([row(5), row(4)]) });
    await feed.reload();
    feed.take([row(6), row(5, { state: "sent", updatedAt: "2026-01-02T00:00:00.000Z" }), row(1)]);
    feed.take([row(6, { state: "sent" })]);
    const { rows } = feed.state.get();
    expect(rows.map((item) => [item.uuid, item.state])).toEqual([
      ["message-5", "sent"],
      ["message-4", "queued"],
    ]);
    expect(feed.fresh.get()).toBe(1);
  });

  it("does not go back to an older state", async () => {
    const newer = row(5, { state: "delivered", updatedAt: "2026-01-02T00:00:00.000Z" });
    const feed = feedOf({ first: page([newer]) });
    await feed.reload();
    feed.take([row(5, { state: "sent" })]);
    expect(feed.state.get().rows[0]?.state).toBe("delivered");
  });

  it("counts only new rows that the filter by state would show", async () => {
    const feed = feedOf({ first: page([]) }, { states: ["failed"] });
    await feed.reload();
    feed.take([row(6, { state: "sent" }), row(7, { state: "failed" })]);
    expect(feed.fresh.get()).toBe(1);
  });

  it("ignores the answer of a load that a newer one has replaced", async () => {
    const answers: ((answer: Page<Row>) => void)[] = [];
    const feed = feedOf({}, { page: () => new Promise((resolve) => answers.push(resolve)) });
    const [first, second] = [feed.reload(), feed.reload()];
    answers[1]?.(page([row(2)]));
    answers[0]?.(page([row(1)]));
    await Promise.all([first, second]);
    expect(feed.state.get().rows.map((item) => item.uuid)).toEqual(["message-2"]);
  });
});
