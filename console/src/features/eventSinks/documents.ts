import { graphql } from "../../gql";

export const EventSinkPage = graphql(`
  query EventSinkPage($first: Int!, $after: String, $owner: Boolean!) {
    eventSinks(first: $first, after: $after) {
      nodes {
        ...Sink
        owner @include(if: $owner) {
          uuid
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
  fragment Sink on EventSink {
    uuid
    ownerId
    name
    url
    stream
    subject
    makeStream
    replicas
    duplicateWindowSeconds
    types
    query
    enabled
    disabledReason
    failures
    failingSince
    lastError
    nextAt
    publishedAt
    status {
      lag
      ratePerSecond
      published
      missed
      replaying
    }
  }
`);

export const EventSinkTypes = graphql(`
  query EventSinkTypes {
    eventTypes {
      type
    }
  }
`);

export const CreateEventSink = graphql(`
  mutation CreateEventSink($input: NewEventSink!) {
    createEventSink(input: $input) {
      uuid
    }
  }
`);

export const ChangeEventSink = graphql(`
  mutation ChangeEventSink($id: ID!, $input: EventSinkPatch!) {
    updateEventSink(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeleteEventSink = graphql(`
  mutation DeleteEventSink($id: ID!) {
    deleteEventSink(id: $id)
  }
`);

export const TestEventSink = graphql(`
  mutation TestEventSink($id: ID!) {
    testEventSink(id: $id) {
      acknowledged
      error
      subject
      sequence
      seconds
    }
  }
`);

export const ReplayEventSink = graphql(`
  mutation ReplayEventSink($id: ID!, $input: EventSinkReplay!) {
    replayEventSink(id: $id, input: $input)
  }
`);
