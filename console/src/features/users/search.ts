import type { Role, UserStatus, UserWhere } from "../../gql/graphql";

export const STATES = ["active", "invited", "suspended", "deleted"] as const;
export const ROLES = ["admin", "user"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  text: string;
  status: UserStatus[];
  role: Role | null;
  tariff: string | null;
}

export function parseSearch(params: URLSearchParams): Search {
  const states = (params.get("status") ?? "").split(",");
  return {
    text: params.get("q") ?? "",
    status: STATES.filter((state) => states.includes(state)),
    role: ROLES.find((role) => role === params.get("role")) ?? null,
    tariff: params.get("tariff"),
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.text.trim()) params.set("q", search.text.trim());
  if (search.status.length > 0) params.set("status", search.status.join(","));
  if (search.role) params.set("role", search.role);
  if (search.tariff) params.set("tariff", search.tariff);
  return params;
}

export function whereOf(search: Search): UserWhere {
  const text = search.text.trim().slice(0, 100);
  return {
    ...(text && { text: { contains: text } }),
    ...(search.status.length > 0 && { status: { in: search.status } }),
    ...(search.role && { role: { eq: search.role } }),
    ...(search.tariff && { tariffCode: { eq: search.tariff } }),
  };
}

export function isFiltered(search: Search): boolean {
  return searchParams(search).toString() !== "";
}
