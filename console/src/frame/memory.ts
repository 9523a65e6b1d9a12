import { forgetEarly } from "./api/early";

/** Things that pages keep while the user is elsewhere, such as a list and its position. The end of a login forgets them. */
const loaded = new Set<Map<string, unknown>>();
/** What was typed and not sent yet. It outlives a login that ends by itself, for the same user. */
const typed = new Set<Map<string, unknown>>();

export function drawer<T>(): Map<string, T> {
  return made<T>(loaded);
}

/** Returns a drawer for what a user has typed: whoever has to log in again does not type it again. */
export function typedDrawer<T>(): Map<string, T> {
  return made<T>(typed);
}

function made<T>(drawers: Set<Map<string, unknown>>): Map<string, T> {
  const map = new Map<string, T>();
  drawers.add(map);
  return map;
}

/** A login has ended by itself, and its user may come back. */
export function forgetLoaded(): void {
  for (const item of loaded) item.clear();
  forgetEarly();
}

/** The user has left, or another one has come. */
export function forgetAll(): void {
  forgetLoaded();
  for (const item of typed) item.clear();
}
