import { forgetEarly } from "./api/early";

/** Things that pages keep while the user is elsewhere, such as a list and its position. A logout forgets them. */
const drawers = new Set<Map<string, unknown>>();

export function drawer<T>(): Map<string, T> {
  const made = new Map<string, T>();
  drawers.add(made);
  return made;
}

export function forgetAll(): void {
  for (const item of drawers) item.clear();
  forgetEarly();
}
