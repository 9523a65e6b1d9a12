import { graphql } from "../../../gql";

export const Queue = graphql(`
  query Queue {
    queueStatistics {
      ...QueueFields
    }
  }
`);

export const QueueChanged = graphql(`
  subscription QueueChanged {
    queueStatisticsChanged {
      ...QueueFields
    }
  }
`);

export const QueueFields = graphql(`
  fragment QueueFields on QueueStatistics {
    queued
    sending
    oldestQueuedSeconds
    directQueued
    directOldestSeconds
    perMinute
    workers {
      name
      units
      lastSeenAt
    }
    routes {
      name
      state
      since
      probeAt
      waiting
      waitingSince
    }
  }
`);
