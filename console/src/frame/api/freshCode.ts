import { Store } from "../store";

/** What a refused request needs: a fresh code of the second factor, or the password. */
export type Proof = "code" | "password";

interface Waiting {
  proof: Proof;
  /** Called with what was entered, once a code was accepted; null: it was canceled. */
  answer: (entered: string | null) => void;
}

/** The request that waits for a proof. A dialog of the shell asks for it; null: no request waits. */
export const waiting = new Store<Waiting | null>(null);

/** Asks for a proof. Resolves to what was entered, or to null if the dialog was closed. */
export function askFor(proof: Proof): Promise<string | null> {
  waiting.get()?.answer(null);
  return new Promise((resolve) => {
    waiting.set({
      proof,
      answer: (entered) => {
        waiting.set(null);
        resolve(entered);
      },
    });
  });
}
