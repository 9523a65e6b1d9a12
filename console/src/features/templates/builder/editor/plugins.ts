import { baseKeymap, chainCommands, selectParentNode, setBlockType, toggleMark } from "prosemirror-commands";
import { gapCursor } from "prosemirror-gapcursor";
import { history, redo, undo } from "prosemirror-history";
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { liftListItem, splitListItem } from "prosemirror-schema-list";
import type { Command, Plugin } from "prosemirror-state";
import { schema } from "../document/schema";
import { clipboard } from "./clipboard";
import { moveBlock } from "./commands";

const { nodes, marks } = schema;

const breakLine: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if (!$from.parent.inlineContent || $from.parent.type === nodes.button) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** What the keys of the editor do. Tab is none of them: it leads out of the editor. */
const KEYS: Record<string, Command> = {
  "Mod-z": undo,
  "Shift-Mod-z": redo,
  "Mod-y": redo,
  "Mod-b": toggleMark(marks.strong),
  "Mod-i": toggleMark(marks.em),
  "Mod-u": toggleMark(marks.underline),
  "Mod-Alt-0": setBlockType(nodes.paragraph),
  "Mod-Alt-1": setBlockType(nodes.heading, { level: 1 }),
  "Mod-Alt-2": setBlockType(nodes.heading, { level: 2 }),
  "Mod-Alt-3": setBlockType(nodes.heading, { level: 3 }),
  "Alt-ArrowUp": moveBlock(-1),
  "Alt-ArrowDown": moveBlock(1),
  "Shift-Enter": breakLine,
  Enter: splitListItem(nodes.list_item),
  Backspace: chainCommands((state, dispatch) => {
    const { $from, empty } = state.selection;
    return empty && $from.parentOffset === 0 && $from.index(-1) === 0
      ? liftListItem(nodes.list_item)(state, dispatch)
      : false;
  }),
  Escape: selectParentNode,
};

const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,3})\s$/, nodes.heading, ([, signs = ""]) => ({ level: signs.length })),
    wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
    wrappingInputRule(/^1[.)]\s$/, nodes.ordered_list),
    // A variable that is typed becomes one.
    new InputRule(/\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\}\}$/, (state, [, name], start, end) =>
      state.tr.replaceWith(start, end, nodes.variable.create({ name })),
    ),
  ],
});

/** Returns the plugins of the editor. `toToolbar`: moves the focus there. */
export function plugins(toToolbar: () => void): Plugin[] {
  const leave: Command = () => {
    toToolbar();
    return true;
  };
  return [
    history(),
    rules,
    keymap({ ...KEYS, "Alt-F10": leave }),
    keymap(baseKeymap),
    gapCursor(),
    clipboard,
  ];
}
