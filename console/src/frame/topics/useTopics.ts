import type { TopicRowFragment } from "../../gql/graphql";
import { useLoaded } from "../api/useLoaded";
import { useViewer } from "../session";
import { Topics } from "./documents";

export type Topic = TopicRowFragment;

const NONE: readonly Topic[] = [];

/** The topics of the owner, as the page of preferences sorts them. */
export function useTopics(pause = false) {
  const { may, ownerUuid, uses } = useViewer();
  const skipped = pause || !may("contacts:read") || !uses("people");
  // An administrator sees all topics, and subscribes contacts to those of their owner.
  const where = { ownerId: { eq: ownerUuid } };
  const { data, problem, loading, reload } = useLoaded(Topics, { where }, skipped);
  const nodes = data?.topics?.nodes;
  const topics = nodes ? [...nodes].sort((a, b) => a.position - b.position) : NONE;
  return { topics, loaded: nodes !== undefined, problem, loading, reload };
}
