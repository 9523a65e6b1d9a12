import type { Permission } from "../../frame/scopes/permissions";
import type { MemberPatch, MemberRole, MemberRowFragment, NewMember } from "../../gql/graphql";

/** From the most to the least that a member may do. */
export const ROLES = ["manager", "editor", "sender", "approver", "support", "viewer", "billing"] as const;

/** What a member may do, as the form has it. */
export interface Draft {
  role: MemberRole;
  /** whether the permissions are chosen one by one, and the role does not count */
  chosen: boolean;
  permissions: readonly string[];
  /** how many people the member may reach in 24 hours without an approval; null: no limit */
  approvalAbove: number | null;
}

export const EMPTY: Draft = { role: "viewer", chosen: false, permissions: [], approvalAbove: null };

/** Returns the fields that the form shows. */
export function shownFields({ chosen }: Draft): ("role" | "permissions" | "approvalAbove")[] {
  return chosen ? ["role", "permissions", "approvalAbove"] : ["role", "approvalAbove"];
}

/** Nobody can give these, and everybody has those of the profile. */
const NOT_GIVEN = ["members:write", "users:write"];

export function draftOf(member: MemberRowFragment): Draft {
  const { role, hasOwnPermissions, permissions, approvalAbove } = member;
  return { role, chosen: hasOwnPermissions, permissions: permissions.filter(isGiven).sort(), approvalAbove };
}

export function newMemberOf(email: string, draft: Draft): NewMember {
  const { role, approvalAbove } = draft;
  return { email: email.trim(), role, permissions: permissionsOf(draft), approvalAbove };
}

/** Returns only what was changed. */
export function patchOf(before: Draft, draft: Draft): MemberPatch {
  const same = JSON.stringify(permissionsOf(before)) === JSON.stringify(permissionsOf(draft));
  return {
    ...(draft.role !== before.role && { role: draft.role }),
    ...(!same && { permissions: permissionsOf(draft) }),
    ...(draft.approvalAbove !== before.approvalAbove && { approvalAbove: draft.approvalAbove }),
  };
}

/** Returns the permissions that an owner can give to a member. */
export function givable(permissions: readonly Permission[]): Permission[] {
  return permissions.filter(({ name, granted }) => granted && isGiven(name));
}

function permissionsOf({ chosen, permissions }: Draft): string[] | null {
  return chosen ? [...permissions].sort() : null;
}

function isGiven(name: string): boolean {
  return !name.startsWith("profile:") && !NOT_GIVEN.includes(name);
}

export type State = "joined" | "invited" | "expired";

export function stateOf({ joinedAt, expiresAt }: MemberRowFragment, now: number): State {
  if (joinedAt) return "joined";
  return expiresAt && Date.parse(expiresAt) > now ? "invited" : "expired";
}

/** The address at which an invitation is accepted. What stands behind the `#` no server is sent. */
export function joinLink(origin: string, token: string): string {
  return `${origin}/console/join#${token}`;
}
