import type { SenderKind, SenderState, SenderWhere } from "../../gql/graphql";

export const STATES = ["pending", "approved", "refused"] as const satisfies readonly SenderState[];
export const KINDS = ["alpha", "number", "short", "email"] as const satisfies readonly SenderKind[];

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  state: (typeof STATES)[number][];
  kind: (typeof KINDS)[number][];
}

export function parseSearch(params: URLSearchParams): Search {
  const states = (params.get("state") ?? "").split(",");
  const kinds = (params.get("kind") ?? "").split(",");
  return {
    text: params.get("q") ?? "",
    state: STATES.filter((item) => states.includes(item)),
    kind: KINDS.filter((item) => kinds.includes(item)),
  };
}

export function searchParams({ text, state, kind }: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (text.trim()) params.set("q", text.trim());
  if (state.length > 0) params.set("state", state.join(","));
  if (kind.length > 0) params.set("kind", kind.join(","));
  return params;
}

export function whereOf({ text, state, kind }: Search): SenderWhere {
  return {
    ...(text.trim() && { value: { eq: text.trim() } }),
    ...(state.length > 0 && { state: { in: state } }),
    ...(kind.length > 0 && { kind: { in: kind } }),
  };
}

export function isFiltered({ text, state, kind }: Search): boolean {
  return Boolean(text.trim()) || state.length > 0 || kind.length > 0;
}
