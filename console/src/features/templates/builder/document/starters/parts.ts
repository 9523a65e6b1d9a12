import type { Alignment, NamedLink, Operator, Part } from "../schema";

/** What a line of a starter letter is made of: text, a variable, or bold text. */
export type Inline = string | { variable: string; fallback?: string } | { strong: string };

function inline(parts: readonly Inline[]): Part[] {
  return parts.map((part) => {
    if (typeof part === "string") return { type: "text", text: part };
    if ("strong" in part) return { type: "text", text: part.strong, marks: [{ type: "strong" }] };
    return { type: "variable", attrs: { name: part.variable, fallback: part.fallback ?? "" } };
  });
}

/** Returns the parts of a sentence with `[name]` or `[name:fallback]` as a variable and `*text*` in bold. */
export function sentence(text: string): Inline[] {
  return [...text.matchAll(/\[([\w.]+)(?::([^\]]*))?\]|\*([^*]+)\*|[^[*]+/g)].map(
    ([whole, variable, fallback, strong]) => {
      if (variable) return { variable, fallback: fallback ?? "" };
      return strong ? { strong } : whole;
    },
  );
}

export const paragraph = (text: string, align: Alignment = "left"): Part => ({
  type: "paragraph",
  attrs: { align },
  content: inline(sentence(text)),
});
export const heading = (text: string, level = 1, align: Alignment = "left"): Part => ({
  type: "heading",
  attrs: { level, align },
  content: inline(sentence(text)),
});
export const button = (text: string, href: string, align: Alignment = "left"): Part => ({
  type: "button",
  attrs: { href, align },
  content: inline([text]),
});
export const bullets = (texts: readonly string[]): Part => ({
  type: "bullet_list",
  content: texts.map((text) => ({ type: "list_item", content: [paragraph(text)] })),
});
/** A picture that the author still has to choose. */
export const picture: Part = {
  type: "image",
  attrs: { src: "", alt: null, width: null, href: "", align: "center" },
};
export const divider: Part = { type: "divider" };
export const spacer = (height: number): Part => ({ type: "spacer", attrs: { height } });
export const columns = (...contents: Part[][]): Part => ({
  type: "columns",
  content: contents.map((content) => ({ type: "column", content })),
});
export const condition = (variable: string, operator: Operator, ...content: Part[]): Part => ({
  type: "condition",
  attrs: { variable, operator, value: "" },
  content,
});
export const social = (links: readonly NamedLink[]): Part => ({
  type: "social",
  attrs: { links, align: "center" },
});
