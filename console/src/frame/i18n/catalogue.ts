import type campaigns from "./en/campaigns";
import type developer from "./en/developer";
import type en from "./en/index";
import type messages from "./en/messages";
import type messengers from "./en/messengers";
import type operator from "./en/operator";

export type Catalogue = typeof en &
  typeof messages &
  typeof campaigns &
  typeof messengers &
  typeof developer &
  typeof operator;

/** The dotted names of all texts; those with plural forms are named without the form. */
export type Key = Leaves<Catalogue>;

type Leaves<T, Prefix extends string = ""> = {
  [Name in keyof T & string]: T[Name] extends string
    ? `${Prefix}${WithoutForm<Name>}`
    : Leaves<T[Name], `${Prefix}${Name}.`>;
}[keyof T & string];

type WithoutForm<Name extends string> = Name extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Name;

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
