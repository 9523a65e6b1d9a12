import type { TemplateWhere } from "../../gql/graphql";

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  archived: boolean;
}

export function parseSearch(params: URLSearchParams): Search {
  return { text: params.get("q") ?? "", archived: params.get("archived") === "1" };
}

export function searchParams({ text, archived }: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (text.trim()) params.set("q", text.trim());
  if (archived) params.set("archived", "1");
  return params;
}

/** What the server filters. Names are searched in the browser, because an owner has a thousand templates at most. */
export function whereOf({ archived }: Search): TemplateWhere {
  return { archived: { eq: archived } };
}

export function isFiltered(search: Search): boolean {
  return Boolean(search.text.trim()) || search.archived;
}

/** Returns the templates whose name or key has each word of the text. */
export function matching<Row extends { name: string; key: string }>(
  rows: readonly Row[],
  text: string,
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, key }) => {
    const searched = `${name} ${key}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
