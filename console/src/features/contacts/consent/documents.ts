import { graphql } from "../../../gql";

export const ContactSubscriptions = graphql(`
  query ContactSubscriptions($first: Int!, $after: String, $where: TopicSubscriptionWhere) {
    topicSubscriptions(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        channel
        state
        changedAt
        topic {
          uuid
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const ConsentHistory = graphql(`
  query ConsentHistory($first: Int!, $after: String, $where: ConsentEntryWhere) {
    consentEntries(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        channel
        action
        source
        text
        evidence
        ip
        userAgent
        agreedAt
        createdAt
        topic {
          uuid
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const SubscribeContacts = graphql(`
  mutation SubscribeContacts($input: SubscribeContacts!) {
    subscribeContacts(input: $input) {
      active
      pending
      unchanged
      invalid {
        contactUuid
        code
        message
      }
    }
  }
`);

export const UnsubscribeContacts = graphql(`
  mutation UnsubscribeContacts($input: UnsubscribeContacts!) {
    unsubscribeContacts(input: $input) {
      withdrawn
      invalid {
        contactUuid
        message
      }
    }
  }
`);
