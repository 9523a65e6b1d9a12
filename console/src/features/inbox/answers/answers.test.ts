import { expect, it } from "vitest";
import { filledIn, inOrder, shortcutOf } from "./answers";

it("finds a shortcut only at the beginning of a message", () => {
  expect(shortcutOf("/")).toBe("");
  expect(shortcutOf("/hou")).toBe("hou");
  for (const text of ["hou", "/hou ", "a /hou", "/etc/passwd", "//", ""]) expect(shortcutOf(text)).toBeNull();
});

it("fills in the name, and leaves no gap where none is known", () => {
  expect(filledIn("Hello {{ name }}, we are open.", "Anna $& {{name}}")).toBe(
    "Hello Anna $& {{name}}, we are open.",
  );
  expect(filledIn("Hello {{name}}, we are open.", null)).toBe("Hello, we are open.");
  expect(filledIn("Thank you, {{ name }}!", null)).toBe("Thank you!");
  expect(filledIn("{{ name }}, we are open.", null)).toBe("we are open.");
});

it("shows the shortcuts that begin with what was typed first", () => {
  const answer = (shortcut: string) => ({ uuid: shortcut, shortcut, text: "" });
  const order = inOrder([answer("a-hours"), answer("hours")], "H");
  expect(order.map(({ shortcut }) => shortcut)).toEqual(["hours", "a-hours"]);
});
