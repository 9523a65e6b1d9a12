import type { Node } from "prosemirror-model";
import { EditorState, type Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useCallback, useEffect, useRef, useState } from "react";
import { plugins } from "./plugins";
import { nodeViews, type BlockWords } from "./views";
import classes from "./letter.module.css";

interface Options {
  letter: Node;
  label: string;
  describedBy: string;
  words: BlockWords;
  onChange: (letter: Node) => void;
  toToolbar: () => void;
}

/** A letter in an editor. What is given at first stays its content: the parent makes another one by another key. */
export function useLetter({ letter, label, describedBy, words, onChange, toToolbar }: Options) {
  const [state, setState] = useState<EditorState>(() =>
    EditorState.create({ doc: letter, plugins: plugins(() => latest.current.toToolbar()) }),
  );
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, toToolbar });
  useEffect(() => {
    latest.current = { onChange, toToolbar };
  });
  const first = useRef({ state, label, describedBy, words });

  useEffect(() => {
    const { state, label, describedBy, words } = first.current;
    const made = new EditorView(place.current, {
      state,
      nodeViews: nodeViews(words),
      attributes: {
        class: classes.letter ?? "",
        role: "textbox",
        tabindex: "0",
        "aria-multiline": "true",
        "aria-label": label,
        "aria-describedby": describedBy,
      },
      dispatchTransaction: (transaction) => {
        const next = made.state.apply(transaction);
        made.updateState(next);
        setState(next);
        if (transaction.docChanged) latest.current.onChange(next.doc);
      },
    });
    view.current = made;
    return () => {
      first.current = { ...first.current, state: made.state };
      made.destroy();
      view.current = null;
    };
  }, []);

  /** Runs a command. The focus goes back to the letter unless a field of a panel has it. */
  const run = useCallback((command: Command, focus = true) => {
    const current = view.current;
    if (!current) return;
    command(current.state, (transaction) => current.dispatch(transaction), current);
    if (focus) current.focus();
  }, []);
  return { state, place, run };
}

export type Run = ReturnType<typeof useLetter>["run"];
