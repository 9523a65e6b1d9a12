import type en from "./en/index";

/** The English texts by whose they are. Each feature adds its own in its texts/en.ts, so that their keys are known. */
export interface Texts {
  frame: typeof en;
}

/** The dotted names of all texts; those with plural forms are named without the form. */
export type Key = { [Owner in keyof Texts]: Leaves<Texts[Owner]> }[keyof Texts];

type Leaves<T, Prefix extends string = ""> = {
  [Name in keyof T & string]: T[Name] extends string
    ? `${Prefix}${WithoutForm<Name>}`
    : Leaves<T[Name], `${Prefix}${Name}.`>;
}[keyof T & string];

type WithoutForm<Name extends string> = Name extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Name;

/** What a translation must have: every text, and of a text with plural forms at least the form `other`. */
export type Translation<T> = {
  [Name in keyof T & string as Name extends PluralForm ? never : Name]: T[Name] extends string
    ? string
    : Translation<T[Name]>;
} & { [Name in keyof T & PluralForm as `${WithoutForm<Name>}_other`]: string } & {
  [Name in keyof T & PluralForm as `${WithoutForm<Name>}_${Intl.LDMLPluralRule}`]?: string;
};

type PluralForm = `${string}_${Intl.LDMLPluralRule}`;

export type Values = Record<string, string | number>;

export interface Translator {
  language: string;
  texts: object;
  /** Returns a text. `count` among the values chooses its plural form. */
  t: (key: Key, values?: Values) => string;
  /** Returns the text of a key that is made from a value of the server; `otherwise`, if there is none. */
  textOr: (key: string, otherwise: string) => string;
}

/** Makes the translator of a language, given its texts. */
export function makeTranslator(language: string, texts: object): Translator {
  const plurals = new Intl.PluralRules(language);
  const find = (key: string): string | undefined => {
    let node: unknown = texts;
    for (const part of key.split(".")) {
      if (typeof node !== "object" || node === null) return undefined;
      node = (node as Record<string, unknown>)[part];
    }
    return typeof node === "string" ? node : undefined;
  };
  return {
    language,
    texts,
    t(key, values) {
      const count = values?.count;
      const form = typeof count === "number" ? find(`${key}_${plurals.select(count)}`) : undefined;
      return fill(form ?? find(key) ?? key, values);
    },
    textOr: (key, otherwise) => find(key) ?? otherwise,
  };
}

/** Puts values in the places of `{{name}}`. React escapes the result, so values may have any characters. */
function fill(text: string, values: Values = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
