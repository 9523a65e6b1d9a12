import { useMemo } from "react";
import { useSearchParams } from "react-router";

/**
 * What the address searches for, and functions that change the address.
 *
 * `parse` and `format` turn it into a search and back. `dialog` names the parameter with which the page's dialog is open.
 */
export function useSearch<Search extends object>(
  parse: (params: URLSearchParams) => Search,
  format: (search: Search) => URLSearchParams,
  dialog = "",
) {
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => parse(params), [parse, params]);
  // A render may be behind the address, and would lose what was chosen just before.
  const latest = () => parse(new URLSearchParams(window.location.search));
  return {
    search,
    params,
    /** Changes parts of the search; the old one is an entry of the history. */
    change: (part: Partial<Search>) => setParams(format({ ...latest(), ...part })),
    open: params.has(dialog),
    setOpen: (open: boolean) => {
      const next = format(latest());
      if (open) next.set(dialog, "1");
      setParams(next, { replace: true });
    },
  };
}
