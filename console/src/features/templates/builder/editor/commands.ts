import type { Attrs, Node, ResolvedPos } from "prosemirror-model";
import {
  AllSelection,
  NodeSelection,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
} from "prosemirror-state";
import { schema, type BlockName } from "../document/schema";

const { nodes } = schema;
/** What blocks stand in: the letter, a column, a condition. */
const CONTAINERS = [nodes.doc, nodes.column, nodes.condition];

/** A block, and where it stands. */
export interface PlacedBlock {
  node: Node;
  pos: number;
  parent: Node;
  index: number;
}

/** Returns the block that is selected, or in which the cursor is; null: all of the letter is selected. */
export function blockAt({ selection }: EditorState): PlacedBlock | null {
  const { $from } = selection;
  if (selection instanceof AllSelection) return null;
  if (selection instanceof NodeSelection && CONTAINERS.includes($from.parent.type)) {
    return { node: selection.node, pos: $from.pos, parent: $from.parent, index: $from.index() };
  }
  return ancestor($from);
}

function ancestor($pos: ResolvedPos): PlacedBlock | null {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const parent = $pos.node(depth - 1);
    if (CONTAINERS.includes(parent.type) && $pos.node(depth).type !== nodes.column) {
      return { node: $pos.node(depth), pos: $pos.before(depth), parent, index: $pos.index(depth - 1) };
    }
  }
  return null;
}

const isEmptyLine = (node: Node | undefined) => node?.type === nodes.paragraph && node.content.size === 0;

/** Puts a block behind the one at the cursor, or in the place of an empty line. Nothing comes behind the footer. */
export function insertBlock(node: Node): Command {
  return (state, dispatch) => {
    const place = placeFor(state, node);
    if (!place) return false;
    const tr = state.tr.replaceWith(place.from, place.to, node);
    const selection =
      node.isAtom && !node.isTextblock
        ? NodeSelection.create(tr.doc, place.from)
        : node.isTextblock
          ? // What stands in it already, such as the text of a button, is replaced by typing.
            TextSelection.create(tr.doc, place.from + 1, place.from + 1 + node.content.size)
          : Selection.near(tr.doc.resolve(place.from + 1));
    dispatch?.(tr.setSelection(selection).scrollIntoView());
    return true;
  };
}

function placeFor(state: EditorState, node: Node): { from: number; to: number } | null {
  let block = blockAt(state);
  if (!block) {
    const { doc } = state;
    const last = doc.lastChild;
    const at = last?.type === nodes.footer ? doc.content.size - last.nodeSize : doc.content.size;
    return { from: at, to: at };
  }
  while (block) {
    const { parent, index, pos } = block;
    const end = pos + block.node.nodeSize;
    if (isEmptyLine(block.node) && parent.canReplaceWith(index, index + 1, node.type))
      return { from: pos, to: end };
    if (parent.canReplaceWith(index + 1, index + 1, node.type)) {
      return block.node.type === nodes.footer ? { from: pos, to: pos } : { from: end, to: end };
    }
    // What can't stand here, such as columns in a column, comes behind the block around it.
    block = ancestor(state.doc.resolve(pos));
  }
  return null;
}

/** Moves the block at the cursor before the one above it (-1), or behind the one below it (1). */
export function moveBlock(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const block = blockAt(state);
    const sibling = block?.parent.maybeChild(block.index + direction);
    if (!block || !sibling) return false;
    const { node, pos } = block;
    const start = direction < 0 ? pos - sibling.nodeSize : pos;
    const moved = direction < 0 ? start : start + sibling.nodeSize;
    const tr = state.tr.replaceWith(
      start,
      start + node.nodeSize + sibling.nodeSize,
      direction < 0 ? [node, sibling] : [sibling, node],
    );
    const { anchor, head } = state.selection;
    tr.setSelection(
      state.selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, moved + (state.selection.from - pos))
        : TextSelection.between(tr.doc.resolve(moved + anchor - pos), tr.doc.resolve(moved + head - pos)),
    );
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Deletes the block at the cursor. The last one of a column or of the letter leaves an empty line. */
export const deleteBlock: Command = (state, dispatch) => {
  const block = blockAt(state);
  if (!block) return false;
  const { node, pos, parent } = block;
  const tr =
    parent.childCount === 1
      ? state.tr.replaceWith(pos, pos + node.nodeSize, nodes.paragraph.create())
      : state.tr.delete(pos, pos + node.nodeSize);
  const near = Selection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size)));
  dispatch?.(tr.setSelection(near).scrollIntoView());
  return true;
};

/** Puts the selected blocks into a condition. A condition has none in it. */
export const wrapInCondition: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if (state.selection instanceof AllSelection) return false;
  const first = $from.index(0);
  const last = Math.max($from.indexAfter(0), $to.indexAfter(0));
  const blocks = Array.from({ length: last - first }, (_, offset) => state.doc.child(first + offset));
  if (blocks.length === 0 || blocks.some(({ type }) => type === nodes.condition)) return false;
  const start = $from.posAtIndex(first, 0);
  const tr = state.tr.replaceWith(start, $from.posAtIndex(last, 0), nodes.condition.create(null, blocks));
  dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, start)).scrollIntoView());
  return true;
};

/** Takes the blocks of a condition out of it. */
export function unwrapCondition(pos: number): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(pos);
    if (node?.type !== nodes.condition) return false;
    const tr = state.tr.replaceWith(pos, pos + node.nodeSize, node.content);
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(pos))));
    return true;
  };
}

/** Gives the columns at `pos` one column more, or puts the content of the last one into the one before it. */
export function setColumnCount(pos: number, count: 2 | 3): Command {
  return (state, dispatch) => {
    const columns = state.doc.nodeAt(pos);
    if (columns?.type !== nodes.columns || columns.childCount === count) return false;
    const all = Array.from({ length: columns.childCount }, (_, index) => columns.child(index));
    const [first, second, third] = all;
    if (!first || !second) return false;
    const next = third
      ? [first, second.copy(second.content.append(third.content))]
      : [first, second, nodes.column.create(null, nodes.paragraph.create())];
    const tr = state.tr.replaceWith(pos, pos + columns.nodeSize, nodes.columns.create(null, next));
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, pos)));
    return true;
  };
}

/** Puts a variable in the place of what is selected, and the cursor behind it. */
export function insertVariable(name: string): Command {
  return (state, dispatch) => {
    const { from, to, $from } = state.selection;
    if (!$from.parent.inlineContent) return false;
    const tr = state.tr.replaceWith(from, to, nodes.variable.create({ name }, null, $from.marks()));
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, from + 1)).scrollIntoView());
    return true;
  };
}

/** Returns the variable that the cursor stands behind, such as the one that was just put in. */
export function variableBefore({ selection }: EditorState): { node: Node; pos: number } | null {
  const { $from, empty } = selection;
  const node = empty ? $from.nodeBefore : null;
  return node?.type === nodes.variable ? { node, pos: $from.pos - node.nodeSize } : null;
}

/** Changes one value of the node at `pos`; of the letter itself without one. */
export function setAttribute(pos: number | null, name: string, value: unknown): Command {
  return (state, dispatch) => {
    dispatch?.(
      pos === null ? state.tr.setDocAttribute(name, value) : state.tr.setNodeAttribute(pos, name, value),
    );
    return true;
  };
}

export interface LinkRange {
  from: number;
  to: number;
  href: string;
}

/** Returns the link at the cursor. */
export function linkAt({ doc, selection }: EditorState): LinkRange | null {
  const { $from } = selection;
  if (!$from.parent.inlineContent) return null;
  const markAt = (pos: number) => schema.marks.link.isInSet(doc.nodeAt(pos)?.marks ?? []);
  const start = $from.start();
  const end = $from.end();
  const at = markAt($from.pos) ? $from.pos : $from.pos - 1;
  const link = at >= start ? markAt(at) : undefined;
  if (!link) return null;
  let from = at;
  let to = at;
  while (from > start && markAt(from - 1)?.eq(link)) from -= 1;
  while (to < end && markAt(to)?.eq(link)) to += 1;
  return { from, to, href: (link.attrs as { href: string }).href };
}

/** Gives a link another address; null ends it. */
export function setLink({ from, to }: { from: number; to: number }, href: string | null): Command {
  return (state, dispatch) => {
    const tr = state.tr.removeMark(from, to, schema.marks.link);
    if (href !== null) tr.addMark(from, to, schema.marks.link.create({ href }));
    dispatch?.(tr);
    return true;
  };
}

/** Makes a node of the blocks that can be added. */
export function newBlock(name: BlockName, attrs: Attrs | null = null): Node {
  const type = nodes[name];
  if (name === "columns") {
    const column = () => nodes.column.create(null, nodes.paragraph.create());
    return nodes.columns.create(null, [column(), column()]);
  }
  if (name === "bullet_list" || name === "ordered_list") {
    return type.create(null, nodes.list_item.create(null, nodes.paragraph.create()));
  }
  return type.create(attrs);
}
