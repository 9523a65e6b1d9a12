import { EditorState, TextSelection } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { schema } from "../document/schema";
import { insertVariable, variableBefore } from "./commands";

const { nodes } = schema;
const line = nodes.paragraph.create(null, schema.text("Dear , hello"));

describe("a variable that is put into a line", () => {
  const doc = nodes.doc.create(null, line);
  const before = EditorState.create({ doc, selection: TextSelection.create(doc, 6) });
  let state = before;
  insertVariable("name")(before, (transaction) => {
    state = before.apply(transaction);
  });

  it("stays when the author types on", () => {
    const typed = state.apply(state.tr.insertText("!"));
    expect(typed.doc.firstChild?.child(1).type).toBe(nodes.variable);
    expect(typed.doc.textContent).toBe("Dear !, hello");
  });
  it("has its settings shown while the cursor is behind it", () => {
    expect(variableBefore(state)).toMatchObject({ pos: 6, node: { attrs: { name: "name" } } });
    expect(variableBefore(before)).toBeNull();
    const all = TextSelection.create(state.doc, 1, 7);
    expect(variableBefore(state.apply(state.tr.setSelection(all)))).toBeNull();
  });
});
