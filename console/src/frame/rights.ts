// Nothing here needs React: the script that runs first reads it.
import type { ViewerQuery } from "../gql/graphql";
import { acting } from "./api/owner";

export type Membership = NonNullable<ViewerQuery["memberships"]>[number];

/** What the console shows or hides by them; the server has the last word. */
export type Permission =
  | "accounts:read"
  | "accounts:write"
  | "audit:read"
  | "blocks:read"
  | "blocks:write"
  | "contacts:read"
  | "contacts:write"
  | "events:read"
  | "events:write"
  | "exports:read"
  | "exports:write"
  | "files:read"
  | "files:write"
  | "hooks:report"
  | "hooks:write"
  | "members:read"
  | "members:write"
  | "messages:read"
  | "messages:send"
  | "messengers:read"
  | "messengers:send"
  | "messengers:write"
  | "projects:approve"
  | "projects:read"
  | "projects:send"
  | "projects:write"
  | "recipients:read"
  | "recipients:write"
  | "senders:read"
  | "senders:write"
  | "settings:read"
  | "settings:write"
  | "statistics:read"
  | "tariffs:read"
  | "users:read"
  | "verifications:read"
  | "verifications:write";

export interface Rights {
  isAdmin: boolean;
  /** the membership by which the person acts for an owner; null: for themselves */
  membership: Membership | null;
  may: (permission: Permission) => boolean;
}

/** Returns what the person may do in this tab: everything of their own, or what the owner allows. */
export function rightsOf(roles: readonly string[], memberships: readonly Membership[]): Rights {
  const owner = acting()?.owner;
  if (owner === undefined) return { isAdmin: roles.includes("admin"), membership: null, may: () => true };
  // While acting nobody is an administrator.
  const membership = memberships.find(({ ownerUuid }) => ownerUuid === owner) ?? null;
  return {
    isAdmin: false,
    membership,
    may: (permission) => membership?.permissions.includes(permission) ?? false,
  };
}

/** How an owner is called. */
export function nameOf({ ownerName, ownerEmail }: Membership): string {
  return ownerName || ownerEmail;
}
