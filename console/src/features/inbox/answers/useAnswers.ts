import { useEffect, useState } from "react";
import { useClient } from "urql";
import { inOrder, type Answer } from "./answers";
import { InboxAnswers } from "./documents";

const SHOWN = 20;
const TYPING_MS = 120;

/** The canned answers for a shortcut that is being typed; null: none is. */
export function useAnswers(typed: string | null): { answers: Answer[]; loading: boolean } {
  const client = useClient();
  const [found, setFound] = useState<{ typed: string; answers: Answer[] } | null>(null);
  useEffect(() => {
    if (typed === null) return;
    let current = true;
    const timer = setTimeout(() => {
      const where = typed ? { text: { contains: typed } } : null;
      void client
        .query(InboxAnswers, { first: SHOWN, after: null, where }, { requestPolicy: "network-only" })
        .toPromise()
        .then(({ data }) => {
          if (current) setFound({ typed, answers: inOrder(data?.cannedAnswers?.nodes ?? [], typed) });
        });
    }, TYPING_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, typed]);
  if (typed === null) return { answers: [], loading: false };
  // What was found for the letters before is shown until the answer is there, as far as it fits.
  const fits = (answer: Answer) =>
    `${answer.shortcut} ${answer.text}`.toLowerCase().includes(typed.toLowerCase());
  return { answers: found?.answers.filter(fits) ?? [], loading: found?.typed !== typed };
}
