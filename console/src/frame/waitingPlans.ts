import { Store } from "./store";

/** Grows when this tab has asked for a decision about a plan, or has decided: the menu counts anew what waits. */
export const decisions = new Store(0);

export function countAgain(): void {
  decisions.set(decisions.get() + 1);
}
