import type { ProjectStatus } from "../../../gql/graphql";
import { actionsOf } from "../states";

export const BULK = ["stop", "retry", "delete"] as const;
export type Bulk = (typeof BULK)[number];

interface Candidate {
  status: ProjectStatus;
  counts: { failed: number };
}

/** Whether an action is possible for a project as the list knows it. The server has the last word. */
export function fits(action: Bulk, { status, counts }: Candidate): boolean {
  if (action === "retry") return (status === "finished" || status === "stopped") && counts.failed > 0;
  return actionsOf(status).includes(action);
}
