import { useState } from "react";
import { useClient, type AnyVariables, type OperationContext, type TypedDocumentNode } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";

/** Runs mutations, one after another, and keeps the problem of the last one. */
export function useAct() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  /** Returns the data; null if there was an error, which is then the problem. */
  async function act<Data, Variables extends AnyVariables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    context?: Partial<OperationContext>,
  ): Promise<Data | null> {
    setBusy(true);
    setProblem(null);
    const { data, error } = await client.mutation(document, variables, context).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    return error ? null : (data ?? null);
  }
  return { act, busy, problem, forget: () => setProblem(null) };
}
