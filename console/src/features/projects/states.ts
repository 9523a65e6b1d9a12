import type { Permission } from "../../frame/rights";
import type { ProjectStatus } from "../../gql/graphql";

/** The states that a project may have in the console; a deleted one is not shown. */
export const PROJECT_STATES = ["draft", "scheduled", "running", "paused", "stopped", "finished"] as const;

export const PROJECT_COLORS: Record<ProjectStatus, string> = {
  draft: "gray",
  scheduled: "violet",
  running: "blue",
  paused: "orange",
  stopped: "gray",
  finished: "teal",
  deleted: "gray",
};

export type Action = "edit" | "start" | "startNow" | "continue" | "stop" | "delete";

// What docs/states.md allows; the first one is what somebody most likely wants.
const ACTIONS: Record<ProjectStatus, readonly Action[]> = {
  draft: ["edit", "delete"],
  scheduled: ["startNow", "stop", "edit", "delete"],
  running: ["stop"],
  paused: ["stop"],
  stopped: ["continue", "edit", "delete"],
  finished: ["delete"],
  deleted: [],
};

export function actionsOf(status: ProjectStatus): readonly Action[] {
  return ACTIONS[status];
}

/**
 * Returns what somebody may do who has these permissions. Whoever can't edit a draft does not come by its last step,
 * where others start it.
 */
export function actionsFor(
  status: ProjectStatus,
  may: (permission: Permission) => boolean,
): readonly Action[] {
  if (status === "draft" && !may("projects:write")) return may("projects:send") ? ["start"] : [];
  return actionsOf(status).filter((action) =>
    may(action === "edit" || action === "delete" ? "projects:write" : "projects:send"),
  );
}

/** Whether recipients and texts can be changed. */
export function isEditable(status: ProjectStatus): boolean {
  return status === "draft" || status === "scheduled" || status === "stopped";
}

/** Whether a follow-up is offered: to a project that was started. */
export function canBeFollowed(project: { status: ProjectStatus; startedAt?: string | null }): boolean {
  return Boolean(project.startedAt) && project.status !== "draft" && project.status !== "scheduled";
}

/** Whether its numbers can still change by themselves. */
export function isActive(status: ProjectStatus): boolean {
  return status === "scheduled" || status === "running" || status === "paused";
}

export interface Cause {
  code: string;
  /** messages that failed with this code */
  failed: number;
  /** messages that were skipped with it */
  skipped: number;
}

/** Returns why messages failed and were skipped. If the server could not count both, all count as failed. */
export function causesOf(
  reasons: readonly { code: string; count: number; skipped?: number | null }[],
): Cause[] {
  return reasons.map(({ code, count, skipped }) => ({
    code,
    failed: count - (skipped ?? 0),
    skipped: skipped ?? 0,
  }));
}
