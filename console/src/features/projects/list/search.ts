import type {
  ProjectChannel,
  ProjectStatus,
  SendingProjectOrder,
  SendingProjectWhere,
} from "../../../gql/graphql";
import { PROJECT_STATES } from "../states";

export const CHANNELS = ["sms", "email", "push", "telegram", "whatsapp"] as const;
export const ORDERS = ["newest", "oldest", "changed", "name"] as const;

/** What the list shows. All of it is in the address. */
export interface Search {
  name: string;
  status: ProjectStatus[];
  channel: ProjectChannel[];
  /** whose projects, for administrators */
  user: string | null;
  order: (typeof ORDERS)[number];
}

export function parseSearch(params: URLSearchParams): Search {
  const some = <Value extends string>(name: string, known: readonly Value[]) =>
    known.filter((value) => (params.get(name) ?? "").split(",").includes(value));
  return {
    name: params.get("name") ?? "",
    status: some("status", PROJECT_STATES),
    channel: some("channel", CHANNELS),
    user: params.get("user"),
    order: ORDERS.find((order) => order === params.get("order")) ?? "newest",
  };
}

export function searchParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  if (search.name.trim()) params.set("name", search.name.trim());
  if (search.status.length > 0) params.set("status", search.status.join(","));
  if (search.channel.length > 0) params.set("channel", search.channel.join(","));
  if (search.user) params.set("user", search.user);
  if (search.order !== "newest") params.set("order", search.order);
  return params;
}

export function isFiltered(search: Search): boolean {
  return (
    Boolean(search.name.trim()) ||
    search.status.length > 0 ||
    search.channel.length > 0 ||
    search.user !== null
  );
}

export function whereOf(search: Search): SendingProjectWhere {
  const name = search.name.trim();
  return {
    ...(name && { name: { contains: name } }),
    ...(search.status.length > 0 && { status: { in: search.status } }),
    ...(search.channel.length > 0 && { channel: { in: search.channel } }),
    ...(search.user && { ownerId: { eq: search.user } }),
  };
}

export function orderOf(search: Search): SendingProjectOrder {
  if (search.order === "name") return { field: "name", direction: "asc" };
  if (search.order === "changed") return { field: "updatedAt", direction: "desc" };
  return { field: "createdAt", direction: search.order === "oldest" ? "asc" : "desc" };
}
