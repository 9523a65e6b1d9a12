import { useLoaded } from "../api/useLoaded";
import { nameOf } from "../rights";
import { useViewer } from "../session";
import { Actors } from "./documents";

/** Returns the names of the people who act for the owner, and of the owner, by the ids of their users. */
export function useActors(): ReadonlyMap<string, string> {
  const { isAdmin, membership, may } = useViewer();
  const { data } = useLoaded(Actors, {}, isAdmin || !may("members:read"));
  const names = new Map<string, string>();
  for (const { userUuid, email } of data?.members?.nodes ?? []) if (userUuid) names.set(userUuid, email);
  if (membership) names.set(membership.ownerUuid, nameOf(membership));
  return names;
}
