import { expect, test } from "vitest";
import { pageOf, snippetOf } from "./snippet";

const page = pageOf("https://postern.example.com", "01890000-0000-7000-8000-000000000003");
const news = { key: "newsletter", name: "News" };

test("a form of one topic has nothing to choose", () => {
  const html = snippetOf(page, [news]);
  expect(html).toContain(`action="https://postern.example.com/signup/01890000-0000-7000-8000-000000000003"`);
  expect(html).not.toContain("checkbox");
});

test("a form of several topics has a box for each", () => {
  const html = snippetOf(page, [news, { key: "offers", name: `"Best" <offers> & more` }]);
  expect(html).toContain(`value="newsletter"> News`);
  expect(html).toContain(`value="offers"> &quot;Best&quot; &lt;offers&gt; &amp; more`);
});
