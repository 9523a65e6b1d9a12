import { Fragment, Slice } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { schema } from "../document/schema";

/** The type of what is copied from one letter to another. */
const TYPE = "application/x-postern-letter";

/**
 * Copies as blocks and as text, and takes both.
 *
 * HTML of others is never parsed: the console's policy (trusted types) has no way to do so, and the styles of a web page
 * or of a word processor don't belong into a letter.
 */
export const clipboard = new Plugin({
  props: {
    handleDOMEvents: {
      copy: (view, event) => copy(view, event),
      cut: (view, event) => {
        if (copy(view, event)) view.dispatch(view.state.tr.deleteSelection().scrollIntoView());
        return true;
      },
      paste: (view, event) => {
        event.preventDefault();
        if (event.clipboardData) paste(view, event.clipboardData);
        return true;
      },
      drop: (view, event) => {
        // What is moved inside of the letter needs no parser.
        if (view.dragging) return false;
        event.preventDefault();
        const position = view.posAtCoords({ left: event.clientX, top: event.clientY });
        const text = event.dataTransfer?.getData("text/plain");
        if (position && text) view.dispatch(view.state.tr.insertText(text, position.pos));
        return true;
      },
    },
  },
});

function copy(view: EditorView, event: ClipboardEvent): boolean {
  const { selection } = view.state;
  if (selection.empty || !event.clipboardData) return false;
  const slice = selection.content();
  event.preventDefault();
  event.clipboardData.setData(TYPE, JSON.stringify(slice.toJSON()));
  event.clipboardData.setData("text/plain", slice.content.textBetween(0, slice.content.size, "\n\n", "\n"));
  return true;
}

function paste(view: EditorView, data: DataTransfer): void {
  const { state } = view;
  const slice = sliceOf(data.getData(TYPE)) ?? textSlice(data.getData("text/plain"));
  if (slice.size > 0) view.dispatch(state.tr.replaceSelection(slice).scrollIntoView());
}

function sliceOf(json: string): Slice | null {
  if (!json) return null;
  try {
    const slice = Slice.fromJSON(schema, JSON.parse(json));
    slice.content.forEach((node) => node.check());
    return slice;
  } catch {
    return null;
  }
}

/** Returns a text as paragraphs: an empty line is between two of them. */
export function textSlice(text: string): Slice {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .map((lines) =>
      schema.nodes.paragraph.create(
        null,
        lines
          .split("\n")
          .flatMap((line, index) => [
            ...(index > 0 ? [schema.nodes.hard_break.create()] : []),
            ...(line ? [schema.text(line)] : []),
          ]),
      ),
    );
  return new Slice(Fragment.from(paragraphs), 1, 1);
}
