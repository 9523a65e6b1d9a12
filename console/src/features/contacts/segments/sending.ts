import type { MessageCategory, SegmentCondition } from "../../../gql/graphql";

interface Topic {
  uuid: string;
  category: MessageCategory;
}

/**
 * Returns the address of a new project for a segment. What its conditions demand of everybody is chosen already: the
 * topics that they are subscribed to, and the channel of these subscriptions.
 */
export function addressOf(segment: string, filter: unknown, topics: readonly Topic[]): string {
  const { all = [] } = filter as { all?: readonly { any: readonly SegmentCondition[] }[] };
  const demanded = all.flatMap(({ any }) => {
    const [only] = any;
    const { subscription, not } = any.length === 1 && only ? only : {};
    const states = subscription?.states ?? ["active"];
    return subscription && !not && states.every((state) => state === "active") ? [subscription] : [];
  });
  const chosen = topics.filter(({ uuid }) => demanded.some(({ topicUuid }) => topicUuid === uuid));
  const [first] = chosen;
  const params = new URLSearchParams({ segment });
  if (first) {
    params.set("category", first.category);
    // A project has one category, and topics of that alone.
    const uuids = chosen.filter(({ category }) => category === first.category).map(({ uuid }) => uuid);
    params.set("topic", uuids.join(","));
    const channels = new Set(demanded.flatMap(({ channel }) => channel ?? []));
    const [channel] = channels;
    if (channel && channels.size === 1) params.set("channel", channel);
  }
  return `/projects/new?${params.toString()}`;
}
