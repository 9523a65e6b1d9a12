import type {
  ProjectAudienceInput,
  ProjectChannel,
  SegmentFilter,
  SegmentGroup,
} from "../../../../../gql/graphql";

/** What became of messages that a follow-up may follow. */
const LEFT = ["failed", "bounced", "sent"] as const;

/**
 * Returns conditions that contacts of an audience meet, to show some of them. `segment` is the filter of its only
 * segment; those that are left out by segments or projects are not looked at.
 */
export function audienceFilter(
  { topicUuids, exceptTopicUuids, follows }: ProjectAudienceInput,
  channel: ProjectChannel,
  segment: SegmentFilter | null,
): SegmentFilter {
  const subscribed = (topicUuid: string) => ({ topicUuid, channel });
  const all: SegmentGroup[] = [{ any: [{ contact: { channel: { eq: channel } } }] }];
  if (topicUuids?.length) all.push({ any: topicUuids.map((id) => ({ subscription: subscribed(id) })) });
  if (follows) {
    const projectUuids = [follows.projectUuid];
    all.push({ any: LEFT.map((event) => ({ history: { event, projectUuids } })) });
  }
  for (const id of exceptTopicUuids ?? []) all.push({ any: [{ not: true, subscription: subscribed(id) }] });
  if (segment) all.push(...segment.all);
  return { all };
}
