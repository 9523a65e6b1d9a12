import type { SegmentFilter, SegmentHistory } from "../../../../gql/graphql";

/** Whom a project can be sent to after another one, as conditions of a segment ask for them. */
export const THOSE = ["silent", "reached", "bounced"] as const;
export type Those = (typeof THOSE)[number];

const LONGEST = 366; // days that the history of messages is asked for
const LONGEST_NAME = 100;

/** Returns the contacts whose messages of a project came to this. `delivered`: the channel has reported deliveries. */
export function filterOf(those: Those, project: string, delivered: boolean): SegmentFilter {
  const has = (event: SegmentHistory["event"]) => ({
    history: { event, projectUuids: [project], withinDays: LONGEST },
  });
  const not = (event: SegmentHistory["event"]) => ({ not: true, ...has(event) });
  if (those === "bounced") return { all: [{ any: [has("bounced")] }] };
  const got = delivered
    ? [{ any: [has("delivered")] }]
    : [{ any: [has("sent")] }, { any: [not("failed")] }, { any: [not("bounced")] }];
  return { all: those === "reached" ? got : [...got, { any: [not("replied")] }] };
}

/** Returns the name of a segment, which is unique: two projects may have one name. */
export function nameOf(project: { name: string; uuid: string }, those: string): string {
  const end = `: ${those} (${project.uuid.slice(-4)})`;
  return project.name.slice(0, LONGEST_NAME - end.length) + end;
}

interface Followed {
  channel: string;
  category: string;
  audience?: { topicUuids: readonly string[] } | null;
}

/** Returns the address of a new project for a segment and the topics that its people have agreed to. */
export function addressOf(segment: string, { channel, category, audience }: Followed): string {
  const params = new URLSearchParams({ segment, channel, category });
  if (audience?.topicUuids.length) params.set("topic", audience.topicUuids.join(","));
  return `/projects/new?${params.toString()}`;
}
