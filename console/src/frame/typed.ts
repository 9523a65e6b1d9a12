import { useMemo, useState } from "react";
import { kept } from "./memory";

const forms = kept<unknown>("form");

interface Typed<T> {
  /** what the form begins with */
  values: T;
  /** called with each change */
  keep: (values: T) => void;
  /** called when the form is sent or closed */
  forget: () => void;
}

/**
 * The values of a form, as JSON, that are still there when a login has ended and the same user has logged in again, and
 * when the page is read again. `key` null: the form keeps nothing.
 */
export function useTyped<T>(key: string | null, initial: T): Typed<T> {
  // A key belongs to one form, so what is kept under it is of this type.
  const [values] = useState<T>(() => (key === null ? undefined : (forms.get(key) as T)) ?? initial);
  return useMemo(
    () => ({
      values,
      keep: (next: T) => {
        if (key !== null) forms.set(key, next);
      },
      forget: () => {
        if (key !== null) forms.delete(key);
      },
    }),
    [key, values],
  );
}
