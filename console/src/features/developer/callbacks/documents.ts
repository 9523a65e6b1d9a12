import { graphql } from "../../../gql";

export const CallbackHosts = graphql(`
  query CallbackHosts {
    statusCallbackHosts(first: 100) {
      nodes {
        ...Hook
      }
    }
  }
`);

export const DeleteCallbackHost = graphql(`
  mutation DeleteCallbackHost($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

export const RotateCallbackSecret = graphql(`
  mutation RotateCallbackSecret {
    rotateCallbackSecret
  }
`);
