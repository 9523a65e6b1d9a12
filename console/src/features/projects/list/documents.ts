import { graphql } from "../../../gql";

export const StopProjects = graphql(`
  mutation StopProjects($ids: [UUID!]!) {
    stopSendingProjects(input: { uuids: $ids }) {
      stopped
      failed {
        uuid
        message
      }
    }
  }
`);

export const RetryProjects = graphql(`
  mutation RetryProjects($ids: [UUID!]!) {
    retrySendingProjects(input: { uuids: $ids }) {
      retried
      failed {
        uuid
        message
      }
    }
  }
`);

export const DeleteProjects = graphql(`
  mutation DeleteProjects($ids: [UUID!]!) {
    deleteSendingProjects(input: { uuids: $ids }) {
      deleted
      failed {
        uuid
        message
      }
    }
  }
`);
