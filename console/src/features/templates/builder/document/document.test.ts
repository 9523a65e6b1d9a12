import { describe, expect, it } from "vitest";
import { canonical } from "./canonical";
import { NO_HOUSE } from "./house";
import { htmlOf } from "./html";
import { conditionOf, escaped, outputOf, safeUrl } from "./liquid";
import { schema, type Letter, type Part } from "./schema";
import { letterOf, sourceOf } from "./source";
import { emptyLetter, startedLetter, STARTERS } from "./starters";
import { textOf } from "./text";

const letter = (...content: Part[]): Letter => ({
  type: "doc",
  attrs: schema.nodeFromJSON(emptyLetter("en", NO_HOUSE)).attrs,
  content,
});
const text = (words: string, ...marks: Part["marks"] & object): Part => ({
  type: "text",
  text: words,
  marks,
});
const html = (...content: Part[]) => htmlOf(letter(...content), "en");

describe("variables and conditions", () => {
  it("have a fallback without a quote that ends it", () => {
    expect(outputOf("name", "it's {{ you }}")).toBe("{{ name | default: 'it’s { { you } }' }}");
    expect(outputOf("a b", "")).toBe("");
  });
  it("are tags around what they are about", () => {
    expect(conditionOf("city", "present", "")).toEqual(["{% if city and city != '' %}", "{% endif %}"]);
    expect(conditionOf("city", "differs", "Bonn")).toEqual([
      "{% unless city == 'Bonn' %}",
      "{% endunless %}",
    ]);
    expect(conditionOf("1 %}", "equals", "x")).toBeNull();
  });
});

describe("escaping", () => {
  it("leaves Liquid as it is, and nothing else", () => {
    expect(escaped('<b>"{{ a | default: "x" }}" & {% if b > 1 %}')).toBe(
      "&lt;b&gt;&quot;{{ a | default: 'x' }}&quot; &amp; {% if b > 1 %}",
    );
    expect(escaped("{{ <img src=x onerror=y>")).toBe("{{ &lt;img src=x onerror=y&gt;");
  });
  it("refuses addresses that run something", () => {
    expect(safeUrl(" javascript:alert(1)")).toBe("");
    expect(safeUrl("data:text/html,x")).toBe("");
    expect(safeUrl("{{ order.url }}")).toBe("{{ order.url }}");
    expect(
      html({ type: "paragraph", content: [text("x", { type: "link", attrs: { href: "vbscript:x" } })] }),
    ).not.toContain("vbscript");
  });
});

describe("a letter", () => {
  it("is told from what no builder wrote", () => {
    const doc = letterOf(sourceOf(emptyLetter("en", NO_HOUSE)));
    expect(doc?.childCount).toBe(2);
    expect(letterOf("{}")).toBeNull();
    expect(letterOf(canonical({ format: 2, doc: emptyLetter("en", NO_HOUSE) }))).toBeNull();
    for (const attrs of [{ accent: "red;}" }, { font: "url(x)" }, { paper: 1 }]) {
      expect(letterOf(canonical({ format: 1, doc: { ...emptyLetter("en", NO_HOUSE), attrs } }))).toBeNull();
    }
    const columns: Part = { type: "column", content: [{ type: "paragraph" }] };
    expect(letterOf(sourceOf(letter({ type: "columns", content: [columns] })))).toBeNull();
    const deep = Array.from({ length: 20 }).reduce<Part>(
      (inner) => ({ type: "condition", content: [inner] }),
      { type: "paragraph" },
    );
    expect(letterOf(sourceOf(letter(deep)))).toBeNull();
  });
  it("has the same source in every order of its keys", () => {
    expect(canonical({ b: [{ d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  });
  it("has pictures with what was said of them", () => {
    const image = (attrs: object): Part => ({
      type: "image",
      attrs: { src: "https://a.example/x.png", alt: null, width: 200, href: "", align: "left", ...attrs },
    });
    expect(html(image({}))).not.toContain("alt=");
    expect(html(image({ alt: "" }))).toContain('alt=""');
    expect(html(image({ alt: '"><script>' }))).toContain('alt="&quot;&gt;&lt;script&gt;"');
    expect(html(image({ src: "javascript:x" }))).not.toContain("<img");
  });
  it("has a text part with the same content", () => {
    const made = textOf(
      letter(
        {
          type: "heading",
          attrs: { level: 1 },
          content: [text("Hi "), { type: "variable", attrs: { name: "name", fallback: "you" } }],
        },
        {
          type: "condition",
          attrs: { variable: "city", operator: "present", value: "" },
          content: [
            {
              type: "paragraph",
              content: [text("Come", { type: "link", attrs: { href: "https://a.example" } })],
            },
          ],
        },
        { type: "button", attrs: { href: "https://b.example", align: "left" }, content: [text("Shop")] },
        { type: "footer", attrs: { address: "1 High St", imprint: "", links: [], unsubscribe: "Leave" } },
      ),
    );
    expect(made).toBe(
      "Hi {{ name | default: 'you' }}\n\n{% if city and city != '' %}Come (https://a.example){% endif %}\n\n" +
        "Shop: https://b.example\n\n--------\n1 High St\n\nLeave: {{ unsubscribe_url }}",
    );
  });
});

describe.each(STARTERS)("the starter %s", (starter) => {
  it.each(["en", "ru"])("is a letter in %s", (locale) => {
    const { letter, subject, preheader } = startedLetter(starter, locale, NO_HOUSE);
    const read = letterOf(sourceOf(letter));
    expect(read).not.toBeNull();
    expect(/[а-я]/i.test(`${subject}${preheader}${textOf(letter)}`)).toBe(locale === "ru");
    const made = htmlOf(read?.toJSON() as Letter, locale, subject);
    expect(made.length).toBeLessThan(20_000);
    expect(made.includes("{{ unsubscribe_url }}")).toBe(!["receipt", "shipping"].includes(starter));
    expect(made).not.toMatch(/undefined|NaN|\[object/);
  });
});
