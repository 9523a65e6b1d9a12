import { useMemo } from "react";
import { useSearchParams } from "react-router";

/**
 * What the address searches for, and functions that change the address.
 *
 * `parse` and `format` turn it into a search and back. `dialog` names the parameter with which the page's dialog is open: to
 * open it is an entry of the history, so "back" closes it.
 */
export function useSearch<Search extends object>(
  parse: (params: URLSearchParams) => Search,
  format: (search: Search) => URLSearchParams,
  dialog?: string,
) {
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => parse(params), [parse, params]);
  // A render may be behind the address, and would lose what was chosen just before.
  const latest = () => new URLSearchParams(window.location.search);
  const paramsOf = (search: Search, open: boolean) => {
    const next = format(search);
    if (open && dialog) next.set(dialog, "1");
    return next;
  };
  return {
    search,
    params,
    /** Changes parts of the search; the old one is an entry of the history. */
    change: (part: Partial<Search>) => {
      const now = latest();
      setParams(paramsOf({ ...parse(now), ...part }, dialog !== undefined && now.has(dialog)));
    },
    open: dialog !== undefined && params.has(dialog),
    setOpen: (open: boolean) => setParams(paramsOf(parse(latest()), open), { replace: !open }),
  };
}
