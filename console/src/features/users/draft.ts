import type { UserPatch, UserRowFragment } from "../../gql/graphql";

/** What an administrator may change of a user. */
export interface Draft {
  name: string;
  email: string;
  admin: boolean;
}

export function draftOf(user: UserRowFragment): Draft {
  return { name: user.displayName, email: user.email, admin: user.roles.includes("admin") };
}

/** Returns what differs from the draft as it was at the start. */
export function patchOf(before: Draft, draft: Draft): UserPatch {
  const [name, email] = [draft.name.trim(), draft.email.trim()];
  return {
    ...(name !== before.name && { displayName: name }),
    ...(email !== before.email && { email }),
    ...(draft.admin !== before.admin && { roles: draft.admin ? ["admin", "user"] : ["user"] }),
  };
}
