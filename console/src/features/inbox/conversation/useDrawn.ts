import { useCallback, useMemo, useState } from "react";
import type { Entry } from "./timeline";

const DRAWN = 200; // messages and notes that are drawn at first of a chat that has more

/** The id of a message or a note. */
export function keyOf({ message, note }: Entry): string | undefined {
  return message?.uuid ?? note?.uuid;
}

/** Calls a function when what has just been set is drawn. */
export function afterDrawing(then: () => void) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

/**
 * Draws the newest of what is loaded already, and more when somebody scrolls up: a chat that was read far back opens as
 * fast as another. Where it begins stays while new messages come, so that nothing moves.
 */
export function useDrawn(entries: readonly Entry[], all: boolean) {
  const [from, setFrom] = useState(() => {
    const entry = all ? undefined : entries.at(-DRAWN);
    return entry && keyOf(entry);
  });
  const start = useMemo(
    () =>
      from === undefined
        ? 0
        : Math.max(
            0,
            entries.findIndex((entry) => keyOf(entry) === from),
          ),
    [entries, from],
  );
  return {
    start,
    drawMore: () => {
      const entry = entries[start - DRAWN];
      setFrom(entry && keyOf(entry));
    },
    drawAll: useCallback(() => setFrom(undefined), []),
  };
}
