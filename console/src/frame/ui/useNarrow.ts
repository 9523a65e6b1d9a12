import { useMediaQuery } from "@mantine/hooks";

/** Tells whether the window is as narrow as a telephone, where a table has no room for each of its columns. */
export function useNarrow(): boolean {
  return useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
}
