import { useCallback, useState } from "react";
import { createRequest, useQuery, type AnyVariables, type TypedDocumentNode } from "urql";
import { useHealed } from "./connection";
import { problemOf, type Problem } from "./errors";

export interface Loaded<Data> {
  /** the newest data; the last one stays while other data is loaded, so that the page does not flicker */
  data: Data | undefined;
  /** whether `data` is the answer to the current variables, not to those before them */
  current: boolean;
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
  const [cached, setCached] = useState<{ data: Data; key: number }>();
  // While a query is loaded, urql keeps the last data together with the operation that it answers.
  const { data } = result;
  const key = result.operation?.key;
  let newest = cached;
  if (data && key !== undefined && (data !== cached?.data || key !== cached.key)) newest = { data, key };
  if (newest !== cached) setCached(newest);
  const reload = useCallback(() => execute({ requestPolicy: "network-only" }), [execute]);
  useHealed(
    useCallback(() => {
      if (!pause) reload();
    }, [pause, reload]),
  );
  return {
    data: newest?.data,
    current: newest?.key === createRequest(query, variables).key,
    problem: result.error ? problemOf(result.error) : null,
    loading: result.fetching || result.stale,
    reload,
  };
}
