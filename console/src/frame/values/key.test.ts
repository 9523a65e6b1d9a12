import { expect, it } from "vitest";
import { keyOf } from "./key";

it("makes keys of names", () => {
  expect(["Our newsletter", "Новости & скидки", "Préférés – 2026!", "你好"].map(keyOf)).toEqual([
    "our-newsletter",
    "novosti-skidki",
    "preferes-2026",
    "",
  ]);
});
