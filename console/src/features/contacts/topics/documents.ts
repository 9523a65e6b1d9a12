import { graphql } from "../../../gql";

export const OneTopic = graphql(`
  query OneTopic($id: ID!) {
    topic(id: $id) {
      ...TopicRow
    }
  }
`);

export const CreateTopic = graphql(`
  mutation CreateTopic($input: NewTopic!) {
    createTopic(input: $input) {
      uuid
    }
  }
`);

export const SubscribeSegment = graphql(`
  mutation SubscribeSegment($input: SubscribeSegment!) {
    subscribeSegment(input: $input) {
      uuid
    }
  }
`);

export const UpdateTopic = graphql(`
  mutation UpdateTopic($id: ID!, $input: TopicPatch!) {
    updateTopic(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeleteTopic = graphql(`
  mutation DeleteTopic($id: ID!) {
    deleteTopic(id: $id)
  }
`);

export const Subscribers = graphql(`
  query Subscribers($first: Int!, $after: String, $where: TopicSubscriptionWhere) {
    topicSubscriptions(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        channel
        state
        changedAt
        contact {
          uuid
          name
          externalId
          addresses {
            channel
            address
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const PreferencesPreview = graphql(`
  query PreferencesPreview($locale: String) {
    preferencesPreview(locale: $locale) {
      html
      languages
    }
    me {
      uuid
      selfService
    }
  }
`);

export const SaveSelfService = graphql(`
  mutation SaveSelfService($id: ID!, $input: UserPatch!) {
    updateUser(id: $id, input: $input) {
      uuid
      selfService
    }
  }
`);
