import { graphql } from "../../../../gql";

/** How many contacts of an audience have an address of each channel. */
export const AudienceSizes = graphql(`
  query AudienceSizes(
    $sms: PreviewSegment!
    $email: PreviewSegment!
    $push: PreviewSegment!
    $telegram: PreviewSegment!
    $whatsapp: PreviewSegment!
  ) {
    sms: segmentPreview(input: $sms) {
      size
    }
    email: segmentPreview(input: $email) {
      size
    }
    push: segmentPreview(input: $push) {
      size
    }
    telegram: segmentPreview(input: $telegram) {
      size
    }
    whatsapp: segmentPreview(input: $whatsapp) {
      size
    }
  }
`);

/** How many subscriptions topics have: that count, that are not confirmed, and that are of one channel. */
export const AudienceReasons = graphql(`
  query AudienceReasons(
    $active: TopicSubscriptionWhere
    $pending: TopicSubscriptionWhere
    $reached: TopicSubscriptionWhere
  ) {
    active: topicSubscriptions(first: 1, where: $active) {
      totalCount
    }
    pending: topicSubscriptions(first: 1, where: $pending) {
      totalCount
    }
    reached: topicSubscriptions(first: 1, where: $reached) {
      totalCount
    }
  }
`);

/** Projects whose recipients may be left out: the newest, and those that are left out already. */
export const EarlierProjects = graphql(`
  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {
    newest: sendingProjects(first: 30, where: $newest) {
      nodes {
        uuid
        name
      }
    }
    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {
      nodes {
        uuid
        name
      }
    }
  }
`);
