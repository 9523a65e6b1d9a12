import type { FileOrder, FileWhere } from "../../gql/graphql";

export const ORDERS = ["newest", "name", "largest"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  name: string;
  order: (typeof ORDERS)[number];
}

export function parseSearch(params: URLSearchParams): Search {
  return {
    name: params.get("q") ?? "",
    order: ORDERS.find((item) => item === params.get("order")) ?? "newest",
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.name.trim()) params.set("q", search.name.trim());
  if (search.order !== "newest") params.set("order", search.order);
  return params;
}

export function whereOf(search: Search): FileWhere {
  const name = search.name.trim();
  return name ? { name: { contains: name } } : {};
}

export function orderOf(search: Search): FileOrder {
  if (search.order === "name") return { field: "name", direction: "asc" };
  return { field: search.order === "largest" ? "size" : "createdAt", direction: "desc" };
}
