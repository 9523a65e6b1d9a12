import { graphql } from "../../../gql";

export const FeedState = graphql(`
  query FeedState {
    eventFeed {
      recording
      recordingSince
      count
      limit
      nearlyFull
      retentionDays
      oldest
      newest
    }
    eventTypes {
      type
      subject
      data
      when
    }
  }
`);

export const WatchEvents = graphql(`
  subscription WatchEvents($after: String, $types: [String!]) {
    events(after: $after, types: $types) {
      uuid
      cursor
      type
      at
      subject
      subjectId
      sendingProjectUuid
      accountId
      data
    }
  }
`);

export const EnableEvents = graphql(`
  mutation EnableEvents {
    enableEvents {
      recording
    }
  }
`);

export const DisableEvents = graphql(`
  mutation DisableEvents {
    disableEvents
  }
`);
