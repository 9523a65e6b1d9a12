import { expect, it } from "vitest";
import { SYNONYMS } from "./synonyms";

const found = (word: string) =>
  Object.entries(SYNONYMS)
    .filter(([, words]) => words.join(" ").includes(word))
    .map(([path]) => path);

it.each([
  ["campaign", "кампания", "/projects"],
  ["newsletter", "новости", "/contacts/topics"],
  ["import", "импорт", "/contacts/import"],
  ["schedule", "расписание", "/repeatable"],
  ["brand", "бренд", "/templates"],
  ["logo", "логотип", "/files"],
  ["template", "шаблон", "/templates"],
  ["series", "серия", "/repeatable"],
  ["picture", "картинка", "/files"],
])("%s and %s lead to %s", (english, russian, path) => {
  expect(found(english)).toContain(path);
  expect(found(russian)).toContain(path);
});
