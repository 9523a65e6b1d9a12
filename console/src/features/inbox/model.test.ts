import { asAddress } from "../../frame/values/phone";
import { describe, expect, it } from "vitest";
import {
  fileLink,
  initialsOf,
  kindOf,
  partsOf,
  withFirstPage,
  withMessages,
  withRow,
  type Chat,
  type Message,
} from "./model";
import { keepsKey, together, type Outgoing } from "./outbox";
import { fits, parseSearch, whereOf } from "./search";

const message = (uuid: string, at: string, more: Partial<Message> = {}): Message => ({
  uuid,
  at,
  from: null,
  name: null,
  editedAt: null,
  deletedAt: null,
  text: uuid,
  outgoing: false,
  replyTo: null,
  content: [],
  reactions: [],
  status: "delivered",
  failureCode: null,
  failureReason: null,
  ...more,
});
const chat = (uuid: string, lastAt: string, more: Partial<Chat> = {}): Chat => ({
  uuid,
  lastAt,
  lastIncomingAt: null,
  closedAt: null,
  labels: [],
  accountId: "a",
  thread: uuid,
  kind: "user",
  name: null,
  phone: "+14155550100",
  username: null,
  unread: 0,
  ...more,
});
const row = (uuid: string, lastAt: string) => ({ chat: chat(uuid, lastAt), last: message(uuid, lastAt) });
const names = (rows: readonly { chat: Chat }[]) => rows.map((item) => item.chat.uuid);

describe("the list of chats", () => {
  it("moves a chat with a new message to the top, and keeps the newest message of each", () => {
    const rows = [row("b", "2026-01-02"), row("a", "2026-01-01")];
    const moved = withRow(rows, row("a", "2026-01-03"), false);
    expect(names(moved)).toEqual(["a", "b"]);
    const older = withRow(moved, { chat: chat("a", "2026-01-03"), last: message("x", "2025-01-01") }, true);
    expect(older[0]?.last?.uuid).toBe("a");
  });
  it("gets a chat that was not in it only if it fits", () => {
    expect(names(withRow([], row("a", "2026"), false))).toEqual([]);
    expect(names(withRow([], row("a", "2026"), true))).toEqual(["a"]);
  });
  it("loses what is no longer on the first page, and keeps later pages", () => {
    const rows = [row("c", "2026-01-03"), row("b", "2026-01-02"), row("a", "2026-01-01")];
    const page = [row("d", "2026-01-04"), row("b", "2026-01-02")];
    expect(names(withFirstPage(rows, page, false))).toEqual(["d", "b", "a"]);
    expect(names(withFirstPage(rows, page, true))).toEqual(["d", "b"]);
  });
  it("is filtered as the server does it", () => {
    const search = parseSearch(new URLSearchParams({ q: "+1 (415) 555", unread: "1" }));
    expect(whereOf(search)).toEqual({
      text: { contains: "+1415555" },
      unread: { eq: true },
      state: { eq: "open" },
    });
    expect(fits(search, chat("a", "2026", { unread: 1 }))).toBe(true);
    expect(fits(search, chat("a", "2026", { unread: 1, closedAt: "2026" }))).toBe(false);
    expect(fits(search, chat("a", "2026"))).toBe(false);
    expect(fits(search, chat("a", "2026", { unread: 1, phone: "+4915112345" }))).toBe(false);
  });
  it("shows open chats unless others are asked for, and those with a label", () => {
    const closed = chat("a", "2026", { closedAt: "2026" });
    const labelled = chat("b", "2026", { labels: [{ uuid: "l", name: "Label", color: "red" }] });
    const shown = (query: string) =>
      [closed, labelled]
        .filter((one) => fits(parseSearch(new URLSearchParams(query)), one))
        .map(({ uuid }) => uuid);
    expect(shown("")).toEqual(["b"]);
    expect(shown("state=closed")).toEqual(["a"]);
    expect(shown("state=all")).toEqual(["a", "b"]);
    expect(shown("state=all&label=l")).toEqual(["b"]);
    expect(whereOf(parseSearch(new URLSearchParams("state=all&label=l")))).toEqual({ label: { eq: "l" } });
  });
});

describe("a conversation", () => {
  it("puts messages in the order of their times, and replaces those that have changed", () => {
    const before = [message("a", "1"), message("c", "3", { status: "server" })];
    const after = withMessages(before, [message("b", "2"), message("c", "3"), message("d", "3")]);
    expect(after.map(({ uuid, status }) => `${uuid} ${status}`)).toEqual([
      "a delivered",
      "b delivered",
      "c delivered",
      "d delivered",
    ]);
  });
  it("shows a message that is being sent once", () => {
    const entry: Outgoing = {
      key: "k",
      text: "hi",
      files: [],
      replyTo: null,
      repeats: null,
      at: "2",
      before: new Set(["old"]),
      item: null,
      problem: null,
    };
    const old = message("old", "1", { outgoing: true, text: "hi" });
    const sent = message("new", "2", { outgoing: true, text: "hi", status: "server" });
    const shown = (...all: Message[]) => {
      const { messages, outbox } = together(all, [entry]);
      return [messages.map(({ uuid }) => uuid), outbox.length];
    };
    expect(shown(old)).toEqual([["old"], 1]);
    expect(shown(old, sent)).toEqual([["old", "new"], 0]);
    expect(shown(old, { ...sent, status: "errored" })).toEqual([["old"], 1]);
  });
  it("keeps the key unless the refusal is final", () => {
    const problem = (code: string) => ({ code, message: "", fields: {} });
    expect(["network", "uncertain", "http_502"].map((code) => keepsKey(problem(code)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(keepsKey(problem("recipient_unknown"))).toBe(false);
  });
});

describe("what is written", () => {
  it("is an address or not", () => {
    expect(["+1 (415) 555-0100", "0049151123", "@ada", "ada", "+12", "123456789"].map(asAddress)).toEqual([
      "+14155550100",
      "+49151123",
      "@ada",
      null,
      null,
      null,
    ]);
  });
  it("has links to web pages alone", () => {
    expect(partsOf("see https://example.com/a, or javascript:alert(1)")).toEqual([
      { text: "see " },
      { text: "https://example.com/a", href: "https://example.com/a" },
      { text: ", or javascript:alert(1)" },
    ]);
  });
  it("gives initials", () => {
    expect(["Ada Lovelace", "+1415", "bob"].map(initialsOf)).toEqual(["AL", "", "B"]);
  });
});

describe("files", () => {
  it("of this service are paths, others are links, and no others", () => {
    expect(fileLink("http://other:3000/messenger-media/1/0?expires=1&signature=s")).toEqual({
      href: "/messenger-media/1/0?expires=1&signature=s",
      ours: true,
    });
    expect(fileLink("https://example.com/a.png")).toEqual({ href: "https://example.com/a.png", ours: false });
    expect(fileLink("javascript:alert(1)")).toBeNull();
    expect(fileLink(null)).toBeNull();
  });
  it("are sent as what a messenger shows", () => {
    expect(
      ["image/png", "image/svg+xml", "video/mp4", "audio/ogg", "application/pdf", ""].map(kindOf),
    ).toEqual(["image", "file", "video", "audio", "file", "file"]);
  });
});
