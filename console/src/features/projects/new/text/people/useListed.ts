import { useLoaded } from "../../../../../frame/api/useLoaded";
import { useViewer } from "../../../../../frame/session";
import { FollowedRecipients } from "../../documents";
import type { DraftState } from "../../useDraft";

/**
 * Returns the first recipients of a project; until it has some, those of the project that it follows, whose names and
 * variables its own will have: first those whom that one did not reach. `own` tells whether they are the project's.
 */
export function useListed({ draft, project }: Pick<DraftState, "draft" | "project">) {
  const { may } = useViewer();
  const own = project?.recipients?.nodes ?? [];
  const followed = draft.audience?.follows?.projectUuid;
  const { data } = useLoaded(
    FollowedRecipients,
    {
      id: followed ?? "",
      missed: { sendingProjectUuid: { eq: followed ?? "" }, status: { in: ["failed", "skipped"] } },
    },
    followed === undefined || own.length > 0 || !may("recipients:read"),
  );
  if (own.length > 0 || followed === undefined) return { listed: own, own: true };
  const missed = (data?.missed?.nodes ?? []).flatMap(({ recipient }) => recipient ?? []);
  const first = data?.sendingProject?.recipients?.nodes ?? [];
  const rows = new Map([...missed, ...first].map((row) => [row.uuid, row]));
  return { listed: [...rows.values()], own: false };
}
