import { useCallback, useState } from "react";
import { useQuery, type AnyVariables, type TypedDocumentNode } from "urql";
import { useHealed } from "./connection";
import { problemOf, type Problem } from "./errors";

export interface Loaded<Data> {
  /** the newest data; the last one stays while other data is loaded, so that the page does not flicker */
  data: Data | undefined;
  problem: Problem | null;
  loading: boolean;
  reload: () => void;
}

/** Loads a query, keeps its last data, and loads again after the connection was lost. */
export function useLoaded<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pause = false,
): Loaded<Data> {
  const [result, execute] = useQuery<Data, Variables>({ query, variables, pause });
  const [kept, setKept] = useState(result.data);
  if (result.data !== undefined && result.data !== kept) setKept(result.data);
  const reload = useCallback(() => execute({ requestPolicy: "network-only" }), [execute]);
  useHealed(reload);
  return {
    data: result.data ?? kept,
    problem: result.error ? problemOf(result.error) : null,
    loading: result.fetching || result.stale,
    reload,
  };
}
