import { useLoaded } from "../api/useLoaded";
import { useViewer } from "../session";
import { SegmentChoices } from "./documents";

/** All segments of the owner by name, to choose from. */
export function useSegments(pause = false) {
  const { may, ownerUuid, uses } = useViewer();
  const where = { ownerId: { eq: ownerUuid } };
  const skipped = pause || !may("contacts:read") || !uses("people");
  const { data, problem, reload } = useLoaded(SegmentChoices, { where }, skipped);
  const nodes = [...(data?.newest?.nodes ?? []), ...(data?.oldest?.nodes ?? [])];
  const rows = [...new Map(nodes.map((row) => [row.uuid, row])).values()];
  return {
    segments: rows.sort((a, b) => a.name.localeCompare(b.name)),
    loaded: data !== undefined,
    problem,
    reload,
  };
}
