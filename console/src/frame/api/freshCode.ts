import { Store } from "../store";

/** Called with whether a code was accepted; null: nobody waits for one. */
type Answer = (accepted: boolean) => void;

/** The request that waits for a fresh code of the second factor. A dialog of the shell asks for it. */
export const waiting = new Store<Answer | null>(null);

/** Asks for a code of the second factor. Resolves to whether one was accepted. */
export function askForCode(): Promise<boolean> {
  waiting.get()?.(false);
  return new Promise((resolve) => {
    waiting.set((accepted) => {
      waiting.set(null);
      resolve(accepted);
    });
  });
}
