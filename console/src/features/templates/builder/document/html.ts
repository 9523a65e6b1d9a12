import { conditionOf, escaped, outputOf, safeUrl } from "./liquid";
import type { Alignment, Font, Letter, NamedLink, Operator, Part } from "./schema";

const WIDTH = 600;
const FAMILIES: Record<Font, string> = {
  system: "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  humanist: "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',Arial,sans-serif",
  geometric: "Avenir,Montserrat,Corbel,'URW Gothic',Arial,sans-serif",
  serif: "Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,serif",
  slab: "Rockwell,'Rockwell Nova','Roboto Slab','DejaVu Serif',Georgia,serif",
  mono: "'Nimbus Mono PS','Courier New',monospace",
};
const SIZES: Record<number, string> = { 1: "26px", 2: "20px", 3: "17px" };
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** Colors of readers who prefer dark letters. They override the style of each element. */
const DARK =
  "@media (prefers-color-scheme:dark){.l-page{background:#121212!important}" +
  ".l-paper{background:#1d1d1f!important;color:#ececec!important}.l-link{color:#9ecbff!important}" +
  ".l-small{color:#b5b5b5!important}.l-line{border-color:#4a4a4c!important}}";
const NARROW =
  "@media (max-width:480px){.l-column{display:block!important;width:100%!important;padding-left:0!important;" +
  "padding-right:0!important}.l-inner{padding:20px 16px!important}}";

interface Theme {
  background: string;
  paper: string;
  text: string;
  accent: string;
  buttonText: string;
  font: Font;
}

/** Renders a letter as mail programs take it: tables, styles at each element, nothing loaded but its pictures. */
export function htmlOf(letter: Letter, locale: string, title = ""): string {
  const theme = letter.attrs as Theme;
  const family = FAMILIES[theme.font];
  const direction = /^(ar|fa|he|ur|yi|ps|sd|ug)\b/i.test(locale) ? "rtl" : "ltr";
  const inner = partsOf(letter.content, theme);
  return [
    "<!DOCTYPE html>",
    `<html lang="${escaped(locale)}" dir="${direction}">`,
    "<head>",
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(title)}</title>`,
    `<style>${NARROW}${DARK}</style>`,
    "</head>",
    `<body class="l-page" style="margin:0;padding:0;background:${theme.background}">`,
    `<table ${TABLE} width="100%" class="l-page" style="width:100%;background:${theme.background}">`,
    '<tr><td align="center" style="padding:24px 8px">',
    `<table ${TABLE} width="${WIDTH}" class="l-paper" style="width:100%;max-width:${WIDTH}px;background:${theme.paper};` +
      `color:${theme.text};font-family:${family};font-size:16px;line-height:1.55">`,
    `<tr><td class="l-inner" align="${direction === "rtl" ? "right" : "left"}" style="padding:32px 40px">`,
    inner,
    "</td></tr>",
    "</table>",
    "</td></tr>",
    "</table>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function partsOf(parts: readonly Part[] | undefined, theme: Theme): string {
  return (parts ?? [])
    .map((part) => blockOf(part, theme))
    .filter((html) => html !== "")
    .join("\n");
}

function blockOf(part: Part, theme: Theme): string {
  const { content } = part;
  const attrs: Record<string, unknown> = part.attrs ?? {};
  switch (part.type) {
    case "paragraph":
      return paragraph(part, theme);
    case "heading":
      return heading(part, theme);
    case "bullet_list":
    case "ordered_list":
      return list(part, theme);
    case "button":
      return button(part, theme);
    case "image":
      return image(part, theme);
    case "divider":
      return `<hr class="l-line" style="border:0;border-top:1px solid #d4d4d8;margin:24px 0">`;
    case "spacer":
      return `<div style="line-height:${Number(attrs.height)}px;font-size:1px">&nbsp;</div>`;
    case "social": {
      const links = linksOf(attrs.links as NamedLink[], `color:${theme.accent}`);
      return links && `<p style="margin:0 0 16px;text-align:${String(attrs.align)}">${links}</p>`;
    }
    case "html":
      return String(attrs.code);
    case "columns":
      return columns(content ?? [], theme);
    case "footer":
      return footer(part);
    case "condition": {
      const tags = conditionOf(String(attrs.variable), attrs.operator as Operator, String(attrs.value));
      const inner = partsOf(content, theme);
      return tags ? `${tags[0]}\n${inner}\n${tags[1]}` : inner;
    }
    default:
      return "";
  }
}

function alignment(attrs: unknown): string {
  const { align } = (attrs ?? {}) as { align?: Alignment };
  // The reader's language decides where a text begins.
  return align && align !== "left" ? `;text-align:${align}` : "";
}

function paragraph({ content, attrs }: Part, theme: Theme, margin = "0 0 16px"): string {
  return `<p style="margin:${margin}${alignment(attrs)}">${inlineOf(content, theme) || "&nbsp;"}</p>`;
}

function heading({ content, attrs }: Part, theme: Theme): string {
  const level = (attrs as { level?: number } | undefined)?.level ?? 1;
  const style = `margin:0 0 16px;font-size:${SIZES[level] ?? "17px"};line-height:1.3;font-weight:bold`;
  return `<h${level} style="${style}${alignment(attrs)}">${inlineOf(content, theme)}</h${level}>`;
}

function list({ type, content }: Part, theme: Theme): string {
  const tag = type === "ordered_list" ? "ol" : "ul";
  const items = (content ?? []).map((item) => {
    const paragraphs = (item.content ?? []).map((one) => inlineOf(one.content, theme)).join("<br>");
    return `<li style="margin:0 0 6px">${paragraphs}</li>`;
  });
  return `<${tag} style="margin:0 0 16px;padding-left:24px">${items.join("")}</${tag}>`;
}

function button({ content, attrs }: Part, theme: Theme): string {
  const { href, align } = attrs as { href: string; align: Alignment };
  const label = inlineOf(content, theme);
  if (!label) return "";
  const url = safeUrl(href);
  const look = `display:inline-block;padding:12px 24px;color:${theme.buttonText};font-weight:bold;text-decoration:none`;
  const inner = url
    ? `<a href="${escaped(url)}" style="${look}">${label}</a>`
    : `<span style="${look}">${label}</span>`;
  // A table in a cell, because an aligned table floats.
  return (
    `<table ${TABLE} width="100%" style="width:100%"><tr><td align="${align}" style="padding:8px 0 24px">` +
    `<table ${TABLE}><tr><td bgcolor="${theme.accent}" style="background:${theme.accent};border-radius:6px">` +
    `${inner}</td></tr></table></td></tr></table>`
  );
}

function image({ attrs }: Part, theme: Theme): string {
  const { src, alt, width, href, align } = attrs as {
    src: string;
    alt: string | null;
    width: number | null;
    href: string;
    align: Alignment;
  };
  const address = safeUrl(src);
  if (!address) return "";
  const wide = width ?? WIDTH - 80;
  const size = `width="${wide}" style="display:inline-block;width:100%;max-width:${wide}px;height:auto;border:0"`;
  const picture = `<img src="${escaped(address)}"${alt === null ? "" : ` alt="${escaped(alt)}"`} ${size}>`;
  const url = safeUrl(href);
  const inner = url ? `<a href="${escaped(url)}" style="color:${theme.accent}">${picture}</a>` : picture;
  return `<p style="margin:0 0 16px;text-align:${align}">${inner}</p>`;
}

function columns(parts: readonly Part[], theme: Theme): string {
  const share = Math.floor(100 / parts.length);
  const cells = parts.map(({ content }, index) => {
    const start = index === 0 ? 0 : 8;
    const end = index === parts.length - 1 ? 0 : 8;
    const style = `width:${share}%;padding:0 ${end}px 0 ${start}px`;
    return (
      `<td class="l-column" width="${share}%" valign="top" style="${style}">\n` +
      `${partsOf(content, theme)}\n</td>`
    );
  });
  return `<table ${TABLE} width="100%" style="width:100%"><tr>\n${cells.join("\n")}\n</tr></table>`;
}

function footer({ attrs }: Part): string {
  const { address, imprint, links, unsubscribe } = attrs as {
    address: string;
    imprint: string;
    links: NamedLink[];
    unsubscribe: string;
  };
  const all = unsubscribe ? [...links, { text: unsubscribe, url: "{{ unsubscribe_url }}" }] : links;
  const lines = (text: string) =>
    text
      .split("\n")
      .map((line) => escaped(line.trim()))
      .join("<br>");
  const rows = [
    address && lines(address),
    imprint && lines(imprint),
    linksOf(all, "color:#52525b", "l-small"),
  ];
  const paragraphs = rows
    .filter((row) => row !== "")
    .map((row) => `<p class="l-small" style="margin:0 0 8px;font-size:13px;color:#52525b">${row}</p>`);
  if (paragraphs.length === 0) return "";
  const style = "border-top:1px solid #d4d4d8;margin-top:24px;padding-top:16px";
  return `<div class="l-line" style="${style}">\n${paragraphs.join("\n")}\n</div>`;
}

function linksOf(links: readonly NamedLink[], style: string, name = "l-link"): string {
  return links
    .filter(({ text, url }) => text.trim() && safeUrl(url))
    .map(
      ({ text, url }) =>
        `<a class="${name}" href="${escaped(safeUrl(url))}" style="${style}">${escaped(text.trim())}</a>`,
    )
    .join(" &middot; ");
}

function inlineOf(parts: readonly Part[] | undefined, theme: Theme): string {
  return (parts ?? [])
    .map((part) => {
      if (part.type === "hard_break") return "<br>";
      if (part.type === "variable") {
        const { name, fallback } = part.attrs as { name: string; fallback: string };
        return marked(outputOf(name, fallback), part, theme);
      }
      return marked(escaped(part.text ?? ""), part, theme);
    })
    .join("");
}

const TAGS = { strong: "strong", em: "em", underline: "u" } as const;

function marked(html: string, { marks }: Part, theme: Theme): string {
  return [...(marks ?? [])].reverse().reduce((inner, mark) => {
    if (mark.type !== "link") return `<${TAGS[mark.type]}>${inner}</${TAGS[mark.type]}>`;
    const url = safeUrl((mark.attrs as { href?: string } | undefined)?.href ?? "");
    if (!url) return inner;
    return `<a class="l-link" href="${escaped(url)}" style="color:${theme.accent}">${inner}</a>`;
  }, html);
}
