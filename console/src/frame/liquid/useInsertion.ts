import { useRef, useState } from "react";
import { inserted } from "./liquid";

/** Puts variables into the text field that had the focus last: in place of what is selected, or at its end. */
export function useInsertion<Name extends string>(
  first: Name,
  values: Readonly<Record<Name, string>>,
  write: (name: Name, value: string) => void,
) {
  const [field, setField] = useState<Name>(first);
  const entered = useRef(new Set<Name>());
  const boxes = useRef<Partial<Record<Name, HTMLTextAreaElement | null>>>({});
  return {
    /** the field that had the focus last */
    field,
    setField,
    insert: (variable: string) => {
      const box = boxes.current[field];
      const value = values[field];
      // A field that nobody has been in says that its cursor is at the beginning.
      const at = entered.current.has(field) ? box : null;
      const made = inserted(
        value,
        variable,
        at?.selectionStart ?? value.length,
        at?.selectionEnd ?? value.length,
      );
      write(field, made.text);
      requestAnimationFrame(() => {
        box?.focus();
        box?.setSelectionRange(made.cursor, made.cursor);
      });
    },
    /** what the editor of a field needs */
    propsOf: (name: Name) => ({
      inputRef: (box: HTMLTextAreaElement | null) => {
        boxes.current[name] = box;
      },
      onFocus: () => {
        entered.current.add(name);
        setField(name);
      },
    }),
  };
}
