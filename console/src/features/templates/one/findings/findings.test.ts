import { describe, expect, it } from "vitest";
import { emptyText, emptyVersion, type TextDraft } from "../draft";
import { findingsOf, printedBare, type Rendered } from "./findings";

const DRAFT = emptyVersion("en");
const LEAVE = '<a href="{{ unsubscribe_url }}">Leave</a>';
const of = (parts: Partial<TextDraft>, rendered: Rendered | null = null, layoutKey = "") =>
  findingsOf(
    "promotional",
    { ...DRAFT, layoutKey },
    { ...emptyText("en"), subject: "Hi", ...parts },
    rendered,
  );
const kinds = (parts: Partial<TextDraft>) => of(parts).map(({ kind }) => kind);

describe("what a reader stumbles over", () => {
  it("is nothing in a whole letter", () => {
    expect(kinds({ html: `<p>Hi</p><img src="https://x.example/a.png" alt="">${LEAVE}` })).toEqual([]);
  });
  it("is a picture without a text, also if an attribute has a >", () => {
    expect(of({ html: `<img src="https://x.example/?a>b"><IMG alt='x'>${LEAVE}` })).toEqual([
      { kind: "alt", count: 1 },
    ]);
  });
  it("is a link without https", () => {
    const html = `<a href="http://a.example">a</a><a class=x href='javascript:alert(1)'>b</a><a href="mailto:a@b.example">c</a>${LEAVE}`;
    expect(of({ html, text: "See http://b.example/x. {{ unsubscribe_url }}" })).toEqual([
      { kind: "links", links: ["http://a.example", "javascript:alert(1)", "http://b.example/x."] },
    ]);
  });
  it("is a link of a starter letter that leads nowhere", () => {
    const links = [
      "https://example.com/stories/1",
      "https://www.example.org",
      "https://instagram.com/example",
      "https://youtube.com/@example",
      "https://example.com.evil.net/",
      "https://shop.net/example/1",
    ];
    const html = links.map((link) => `<a href="${link}">x</a>`).join("") + LEAVE;
    expect(of({ html })).toEqual([{ kind: "examples", links: links.slice(0, 4) }]);
  });
  it("is what Gmail cuts, of the letter as it is sent", () => {
    const rendered = { html: "ж".repeat(60_000), variables: [], missing: ["name"] };
    expect(of({ html: LEAVE }, rendered)).toEqual([
      { kind: "missing", names: ["name"] },
      { kind: "size", bytes: 120_000 },
    ]);
  });
  it("is advertising that nobody can leave, in each part of it", () => {
    expect(kinds({ html: "<p>Sale</p>" })).toEqual(["unsubscribe"]);
    expect(kinds({ html: LEAVE, text: "Sale" })).toEqual(["unsubscribe"]);
    expect(kinds({ subject: "", text: "Sale" })).toEqual([]); // no email
    const letter = { ...emptyText("en"), subject: "Bill", html: "<p>Bill</p>" };
    expect(findingsOf("transactional", DRAFT, letter, null)).toEqual([]);
  });
  it("looks into the layout once it is rendered", () => {
    const rendered = { html: "", variables: ["unsubscribe_url"], missing: [] };
    expect(of({ html: "<p>Sale</p>" }, rendered, "frame")).toEqual([]);
    expect(of({ html: "<p>Sale</p>" }, { ...rendered, variables: [] }, "frame")).toEqual([
      { kind: "unsubscribe" },
    ]);
  });
  it("is HTML without a subject", () => {
    expect(kinds({ subject: "", html: LEAVE })).toEqual(["subject"]);
  });
});

describe("what is printed without another value", () => {
  it("is no variable with a default, and none of a condition", () => {
    const html = "{{ city }} {{- plan | upcase }} {{ name | default: 'you' }} {% if vip %}x{% endif %}";
    expect(printedBare({ ...emptyText("en"), subject: "{{ city }} {{order.number}}", html })).toEqual([
      "city",
      "order.number",
      "plan",
    ]);
  });
});
