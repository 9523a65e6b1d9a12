import type { ContactSubscriptionsQuery } from "../../../gql/graphql";

/** A subscription as the page of its contact shows it. */
export type OwnSubscription = NonNullable<ContactSubscriptionsQuery["topicSubscriptions"]>["nodes"][number];
