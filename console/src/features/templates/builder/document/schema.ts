import { Schema, type Attrs, type NodeSpec } from "prosemirror-model";

/** A link of the footer, or of a row of links. */
export interface NamedLink {
  text: string;
  url: string;
}

export const ALIGNMENTS = ["left", "center", "right"] as const;
export type Alignment = (typeof ALIGNMENTS)[number];
export const OPERATORS = ["present", "absent", "equals", "differs"] as const;
export type Operator = (typeof OPERATORS)[number];
export const FONTS = ["system", "humanist", "geometric", "serif", "slab", "mono"] as const;
export type Font = (typeof FONTS)[number];

const LONGEST = 2_000;
const LONGEST_CODE = 50_000;
const MOST_LINKS = 12;
const COLOR = /^#[0-9a-f]{6}$/i;

/** Refuses a value of a stored document that the builder can't have written. */
function check(name: string, fits: (value: unknown) => boolean): { validate: (value: unknown) => void } {
  return {
    validate: (value) => {
      if (!fits(value)) throw new RangeError(`${name} has a value that no letter has`);
    },
  };
}
const isText = (value: unknown, most = LONGEST): value is string =>
  typeof value === "string" && value.length <= most;
const text = (name: string, initial = "", most = LONGEST) => ({
  default: initial,
  ...check(name, (value) => isText(value, most)),
});
const choice = <Value extends string>(name: string, values: readonly Value[], initial: Value) => ({
  default: initial,
  ...check(name, (value) => values.some((one) => one === value)),
});
const color = (name: string, initial: string) => ({
  default: initial,
  ...check(name, (value) => isText(value) && COLOR.test(value)),
});
const number = (name: string, initial: number | null, least: number, most: number) => ({
  default: initial,
  ...check(
    name,
    (value) =>
      (initial === null && value === null) ||
      (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most),
  ),
});
const links = (name: string, initial: readonly NamedLink[] = []) => ({
  default: initial,
  ...check(
    name,
    (value) =>
      Array.isArray(value) &&
      value.length <= MOST_LINKS &&
      value.every((one: unknown) => {
        const link = one as Partial<NamedLink> | null;
        return typeof link === "object" && isText(link?.text, 200) && isText(link.url);
      }),
  ),
});
const align = (initial: Alignment = "left") => choice("align", ALIGNMENTS, initial);

/** Blocks that a column can have. */
const BLOCK = "block";
/** Blocks that stand in the letter itself, or in a condition. */
const PART = "part";

const nodes = {
  doc: {
    content: `(${BLOCK}|${PART}|condition)+`,
    attrs: {
      background: color("background", "#f4f4f5"),
      paper: color("paper", "#ffffff"),
      text: color("text", "#1f2328"),
      accent: color("accent", "#1c6b4a"),
      buttonText: color("buttonText", "#ffffff"),
      font: choice("font", FONTS, "system"),
    },
  },
  paragraph: {
    group: BLOCK,
    content: "inline*",
    attrs: { align: align() },
    toDOM: (node) => ["p", { "data-align": String(node.attrs.align) }, 0],
  },
  heading: {
    group: BLOCK,
    content: "inline*",
    defining: true,
    attrs: { level: number("level", 1, 1, 3), align: align() },
    toDOM: (node) => [`h${Number(node.attrs.level)}`, { "data-align": String(node.attrs.align) }, 0],
  },
  bullet_list: { group: BLOCK, content: "list_item+", toDOM: () => ["ul", 0] },
  ordered_list: { group: BLOCK, content: "list_item+", toDOM: () => ["ol", 0] },
  list_item: { content: "paragraph+", defining: true, toDOM: () => ["li", 0] },
  button: {
    group: BLOCK,
    content: "(text|variable)*",
    marks: "",
    defining: true,
    attrs: { href: text("href"), align: align() },
    toDOM: (node) => ["div", { "data-button": "", "data-align": String(node.attrs.align) }, ["span", 0]],
  },
  image: {
    group: BLOCK,
    atom: true,
    attrs: {
      src: text("src"),
      /** null: nobody has said yet what it shows */
      alt: { default: null, ...check("alt", (value) => value === null || isText(value, 500)) },
      width: number("width", null, 16, 600),
      href: text("href"),
      align: align("center"),
    },
  },
  divider: { group: BLOCK, atom: true, toDOM: () => ["div", { "data-divider": "" }, ["hr"]] },
  spacer: { group: BLOCK, atom: true, attrs: { height: number("height", 24, 4, 120) } },
  social: { group: BLOCK, atom: true, attrs: { links: links("links"), align: align("center") } },
  html: { group: BLOCK, atom: true, attrs: { code: text("code", "", LONGEST_CODE) } },
  columns: {
    group: PART,
    content: "column{2,3}",
    isolating: true,
    toDOM: () => ["div", { "data-columns": "" }, 0],
  },
  column: { content: `${BLOCK}+`, isolating: true, toDOM: () => ["div", { "data-column": "" }, 0] },
  footer: {
    group: PART,
    atom: true,
    attrs: {
      address: text("address"),
      imprint: text("imprint", "", 5_000),
      links: links("links"),
      /** the text of the link; empty: there is none */
      unsubscribe: text("unsubscribe", "", 200),
    },
  },
  condition: {
    content: `(${BLOCK}|${PART})+`,
    isolating: true,
    attrs: {
      variable: text("variable", "", 200),
      operator: choice("operator", OPERATORS, "present"),
      value: text("value", "", 500),
    },
  },
  text: { group: "inline" },
  hard_break: { group: "inline", inline: true, selectable: false, toDOM: () => ["br"] },
  variable: {
    group: "inline",
    inline: true,
    atom: true,
    attrs: { name: text("name", "name", 200), fallback: text("fallback", "", 500) },
  },
} satisfies Record<string, NodeSpec>;

export const schema = new Schema({
  nodes,
  marks: {
    link: { attrs: { href: text("href") }, inclusive: false, toDOM: () => ["a", 0] },
    strong: { toDOM: () => ["strong", 0] },
    em: { toDOM: () => ["em", 0] },
    underline: { toDOM: () => ["u", 0] },
  },
});

export type BlockName = keyof typeof nodes;

/** A block of a stored letter, as JSON. */
export interface Part {
  type: BlockName;
  attrs?: Attrs;
  content?: Part[];
  text?: string;
  marks?: { type: "link" | "strong" | "em" | "underline"; attrs?: Attrs }[];
}

/** The whole letter, as JSON. */
export interface Letter extends Part {
  type: "doc";
}
