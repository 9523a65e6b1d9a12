import { describe, expect, it } from "vitest";
import { areas } from "./areas";
import en from "./frame/i18n/en/index";
import ru from "./frame/i18n/ru/index";

type Catalogue = Record<string, unknown>;
const PLURAL = /_(zero|one|two|few|many|other)$/;

function flatten(catalogue: Catalogue, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(catalogue)) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [name, text] of flatten(value as Catalogue, `${prefix}${key}.`)) found.set(name, text);
  }
  return found;
}

const later = await Promise.all(
  // What two areas load is one catalogue.
  [...new Set(Object.values(areas).flat())].map(async (area) => ({
    en: (await area.en()).default,
    ru: (await area.ru()).default,
  })),
);
const all = (language: "en" | "ru", first: object) =>
  Object.assign({}, first, ...later.map((area) => area[language])) as Catalogue;
const texts = { en: flatten(all("en", en)), ru: flatten(all("ru", ru)) };
const keysOf = (language: "en" | "ru") => [
  ...new Set([...texts[language].keys()].map((key) => key.replace(PLURAL, ""))),
];
const variablesOf = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();

describe("the catalogues", () => {
  it("have the same keys", () => {
    expect(keysOf("ru").sort()).toEqual(keysOf("en").sort());
  });

  it("have names of their own in each area", () => {
    const names = [en, ...later.map((area) => area.en)].flatMap((catalogue) => Object.keys(catalogue));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(["en", "ru"] as const)("have every plural form of %s, and no other", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.slice().sort();
    const plurals = new Map<string, string[]>();
    for (const key of texts[language].keys()) {
      const form = PLURAL.exec(key)?.[1];
      if (form)
        plurals.set(key.replace(PLURAL, ""), [...(plurals.get(key.replace(PLURAL, "")) ?? []), form].sort());
    }
    expect(plurals.size).toBeGreaterThan(0);
    for (const [key, has] of plurals) expect([key, has]).toEqual([key, forms]);
  });

  it("use the same variables", () => {
    for (const [key, text] of texts.ru) {
      const english = texts.en.get(key) ?? texts.en.get(key.replace(PLURAL, "_other"));
      expect([key, variablesOf(text)]).toEqual([key, variablesOf(english ?? "")]);
    }
  });

  it("have no empty texts but examples", () => {
    for (const language of ["en", "ru"] as const) {
      const empty = [...texts[language]]
        .filter(([key, text]) => !text && !key.includes(".example."))
        .map(([key]) => key);
      expect(empty).toEqual([]);
    }
  });
});
