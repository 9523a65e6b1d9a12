import type { AuditRowFragment } from "../../gql/graphql";
import { useLoaded } from "../api/useLoaded";
import { useViewer } from "../session";
import { NamesOfProjects } from "./documents";

const MOST = 100;

/** Returns the names of the projects that entries are about, by their ids: an entry names only what it has changed. */
export function useNames(rows: readonly AuditRowFragment[]): ReadonlyMap<string, string> {
  const { may } = useViewer();
  const ids = new Set<string>();
  for (const { objectType, objectId } of rows) if (objectType === "project" && objectId) ids.add(objectId);
  const asked = [...ids].slice(-MOST);
  const paused = asked.length === 0 || !may("projects:read");
  const { data } = useLoaded(NamesOfProjects, { first: MOST, where: { id: { in: asked } } }, paused);
  return new Map((data?.sendingProjects?.nodes ?? []).map(({ uuid, name }) => [uuid, name]));
}
