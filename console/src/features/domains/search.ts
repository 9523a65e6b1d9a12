import type { DomainWhere } from "../../gql/graphql";

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
}

export function parseSearch(params: URLSearchParams): Search {
  return { text: params.get("q") ?? "" };
}

export function searchParams({ text }: Search): URLSearchParams {
  return new URLSearchParams(text.trim() ? { q: text.trim() } : {});
}

export function whereOf({ text }: Search): DomainWhere {
  return text.trim() ? { name: { contains: text.trim() } } : {};
}
