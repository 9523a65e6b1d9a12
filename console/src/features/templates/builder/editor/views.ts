import type { Node } from "prosemirror-model";
import type { NodeViewConstructor } from "prosemirror-view";
import { shownAt } from "../../../../frame/pictures/address";
import { conditionOf } from "../document/liquid";
import type { NamedLink, Operator } from "../document/schema";
import classes from "./letter.module.css";

/** The words that blocks have in the editor. */
export interface BlockWords {
  noPicture: string;
  foreignPicture: string;
  noLinks: string;
  emptyHtml: string;
  html: string;
  spacer: (height: number) => string;
  footer: string;
  condition: (variable: string, operator: Operator, value: string) => string;
}

type Draw = (node: Node, words: BlockWords) => globalThis.Node[];

const element = (tag: string, name: string | undefined, ...inner: (globalThis.Node | string)[]) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inner);
  return made;
};
const note = (text: string) => element("span", classes.note, text);

const image: Draw = ({ attrs }, words) => {
  const { src, alt, width } = attrs as { src: string; alt: string | null; width: number | null };
  const path = shownAt(src);
  if (!path) return [note(src ? `${words.foreignPicture} ${alt ?? ""} ${src}` : words.noPicture)];
  const picture = document.createElement("img");
  picture.src = path;
  picture.alt = alt ?? "";
  picture.draggable = false;
  if (width !== null) picture.style.width = `${width}px`;
  return [picture];
};

const links = (all: readonly NamedLink[]) => all.map(({ text }) => text).join(" · ");

const DRAWN: Record<string, Draw> = {
  image,
  spacer: ({ attrs }, words) => [note(words.spacer(Number(attrs.height)))],
  social: ({ attrs }, words) => [note(links(attrs.links as NamedLink[]) || words.noLinks)],
  html: ({ attrs }, words) => [
    note(words.html),
    element("code", classes.code, String(attrs.code).slice(0, 400) || words.emptyHtml),
  ],
  footer: ({ attrs }, words) => {
    const { address, imprint, unsubscribe } = attrs as Record<string, string>;
    const all = [...(attrs.links as NamedLink[]), ...(unsubscribe ? [{ text: unsubscribe, url: "" }] : [])];
    const rows = [address, imprint, links(all)].filter((row) => row !== "" && row !== undefined);
    return (rows.length > 0 ? rows : [words.footer]).map((row) => element("div", undefined, row ?? ""));
  },
};

/** Draws the blocks that have no text of their own. Values of the author become text, never HTML. */
export function nodeViews(words: BlockWords): Record<string, NodeViewConstructor> {
  const views: Record<string, NodeViewConstructor> = {
    variable: (node) => {
      const { name, fallback } = node.attrs as { name: string; fallback: string };
      return { dom: element("span", classes.chip, fallback ? `${name} · ${fallback}` : name) };
    },
    condition: (node) => {
      const label = element("div", classes.label);
      label.contentEditable = "false";
      const contentDOM = element("div", undefined);
      const dom = element("div", classes.condition, label, contentDOM);
      const draw = ({ attrs }: Node) => {
        const { variable, operator, value } = attrs as Record<string, string> & { operator: Operator };
        const name = variable ?? "";
        label.textContent = words.condition(name, operator, value ?? "");
        label.toggleAttribute("data-wrong", conditionOf(name, operator, "") === null);
      };
      draw(node);
      return {
        dom,
        contentDOM,
        update: (next) => {
          if (next.type !== node.type) return false;
          draw(next);
          return true;
        },
        ignoreMutation: (mutation) => label.contains(mutation.target),
      };
    },
  };
  for (const [name, draw] of Object.entries(DRAWN)) {
    views[name] = (node) => {
      const dom = element("div", classes.block);
      dom.dataset.block = name;
      const redraw = (next: Node) => {
        const { align } = next.attrs as { align?: string };
        if (align) dom.dataset.align = align;
        dom.replaceChildren(...draw(next, words));
      };
      redraw(node);
      return {
        dom,
        update: (next) => {
          if (next.type !== node.type) return false;
          redraw(next);
          return true;
        },
        ignoreMutation: () => true,
      };
    };
  }
  return views;
}
