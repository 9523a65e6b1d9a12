import { piecesOf } from "../../../../frame/liquid/liquid";
import type { Operator } from "./schema";

const NAME = /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/;

/** Returns whether a text is the name of a variable, such as `order.number`. */
export function isVariable(name: string): boolean {
  return NAME.test(name);
}

/** Returns a text as a Liquid string, which has no way to write both kinds of quotes: the single ones become ’. */
function quoted(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ").replace(/'/g, "’");
  return `'${line.replace(/[{}%]{2}/g, (pair) => `${pair.charAt(0)} ${pair.charAt(1)}`)}'`;
}

/** Returns the output of a variable, with what stands there if it has no value. */
export function outputOf(name: string, fallback: string): string {
  if (!isVariable(name)) return "";
  return fallback ? `{{ ${name} | default: ${quoted(fallback)} }}` : `{{ ${name} }}`;
}

/** Returns the tags around what only some readers get; null: the condition has no variable yet. */
export function conditionOf(variable: string, operator: Operator, value: string): [string, string] | null {
  if (!isVariable(variable)) return null;
  const tests: Record<Operator, string> = {
    // An empty text is true in Liquid.
    present: `if ${variable} and ${variable} != ''`,
    absent: `unless ${variable} and ${variable} != ''`,
    equals: `if ${variable} == ${quoted(value)}`,
    differs: `unless ${variable} == ${quoted(value)}`,
  };
  const test = tests[operator];
  return [`{% ${test} %}`, test.startsWith("if") ? "{% endif %}" : "{% endunless %}"];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML, except the Liquid in it, whose quotes become single ones. */
export function escaped(text: string): string {
  return piecesOf(text)
    .map((piece) =>
      piece.kind === "output" || piece.kind === "tag"
        ? piece.text.replace(/"/g, "'")
        : piece.text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one),
    )
    .join("");
}

const SCHEMES = /^(?:https?:\/\/|mailto:|tel:|sms:|\{\{)/i;

/** Returns the address of a link; empty: it has a scheme that does more than lead somewhere, or none. */
export function safeUrl(url: string): string {
  const address = url.trim();
  return SCHEMES.test(address) ? address : "";
}
