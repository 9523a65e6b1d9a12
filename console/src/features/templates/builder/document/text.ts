import { conditionOf, outputOf, safeUrl } from "./liquid";
import type { Letter, NamedLink, Operator, Part } from "./schema";

/** Renders a letter as the text part of an email. */
export function textOf(letter: Letter): string {
  return joined(letter.content);
}

function joined(parts: readonly Part[] | undefined): string {
  return (parts ?? [])
    .map(blockOf)
    .filter((text) => text !== "")
    .join("\n\n")
    .trim();
}

function blockOf(part: Part): string {
  const attrs: Record<string, unknown> = part.attrs ?? {};
  switch (part.type) {
    case "paragraph":
    case "heading":
      return inlineOf(part.content).trim();
    case "bullet_list":
    case "ordered_list":
      return (part.content ?? [])
        .map((item, index) => {
          const lines = (item.content ?? []).map((one) => inlineOf(one.content)).join("\n  ");
          return `${part.type === "ordered_list" ? `${index + 1}.` : "-"} ${lines}`;
        })
        .join("\n");
    case "button":
      return withUrl(inlineOf(part.content), String(attrs.href));
    case "image":
      return typeof attrs.alt === "string" && attrs.alt && safeUrl(String(attrs.src))
        ? withUrl(`[${attrs.alt}]`, String(attrs.href))
        : "";
    case "divider":
      return "--------";
    case "social":
      return linksOf(attrs.links as NamedLink[]);
    case "columns":
      return (part.content ?? []).map(({ content }) => joined(content)).join("\n\n");
    case "footer": {
      const { address, imprint, links, unsubscribe } = attrs as unknown as Record<string, string> & {
        links: NamedLink[];
      };
      const all = unsubscribe ? [...links, { text: unsubscribe, url: "{{ unsubscribe_url }}" }] : links;
      const rows = [address, imprint, linksOf(all)].filter((row) => row !== "" && row !== undefined);
      return rows.length > 0 ? `--------\n${rows.join("\n\n")}` : "";
    }
    case "condition": {
      const tags = conditionOf(String(attrs.variable), attrs.operator as Operator, String(attrs.value));
      const inner = joined(part.content);
      return tags && inner ? `${tags[0]}${inner}${tags[1]}` : inner;
    }
    default:
      return "";
  }
}

function withUrl(label: string, url: string): string {
  const address = safeUrl(url);
  return address && label ? `${label}: ${address}` : label;
}

function linksOf(links: readonly NamedLink[]): string {
  return links
    .filter(({ text, url }) => text.trim() && safeUrl(url))
    .map(({ text, url }) => withUrl(text.trim(), url))
    .join("\n");
}

function inlineOf(parts: readonly Part[] | undefined): string {
  return (parts ?? [])
    .map((part, index, all) => {
      if (part.type === "hard_break") return "\n";
      const { name, fallback } = (part.attrs ?? {}) as { name: string; fallback: string };
      const text = part.type === "variable" ? outputOf(name, fallback) : (part.text ?? "");
      const url = urlOf(part);
      // A link that goes on in the next part has its address once, at its end.
      const isLast = urlOf(all[index + 1]) !== url;
      return url && isLast && url !== text ? `${text} (${url})` : text;
    })
    .join("");
}

function urlOf(part: Part | undefined): string {
  const mark = part?.marks?.find(({ type }) => type === "link");
  return safeUrl((mark?.attrs as { href?: string } | undefined)?.href ?? "");
}
