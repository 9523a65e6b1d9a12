import { useCallback, useState } from "react";
import { kept } from "./memory";

const forms = kept<unknown>("form");

/**
 * State of a form, as JSON, that is still there when a login has ended and the same user has logged in again, and when the
 * page is read again. `forget` is called when the form is sent or closed. `key` null: the form keeps nothing.
 */
export function useTyped<T>(
  key: string | null,
  initial: T,
): [T, (change: (before: T) => T) => void, () => void] {
  // A key belongs to one form, so what is kept under it is of this type.
  const [value, setValue] = useState<T>(() => (key === null ? undefined : (forms.get(key) as T)) ?? initial);
  const change = useCallback(
    (next: (before: T) => T) =>
      setValue((before) => {
        const after = next(before);
        if (key !== null) forms.set(key, after);
        return after;
      }),
    [key],
  );
  const forget = useCallback(() => {
    if (key !== null) forms.delete(key);
  }, [key]);
  return [value, change, forget];
}
