import { graphql } from "../../gql";

export const MessengerWebhooks = graphql(`
  query MessengerWebhooks($id: ID!) {
    webhooks(accountId: $id, first: 20) {
      nodes {
        uuid
        url
        enabled
        disabledReason
        failures
        nextAt
        lastError
        lastStatus
        deliveredAt
        events
        waiting
        dead
      }
    }
  }
`);

export const AddMessengerWebhook = graphql(`
  mutation AddMessengerWebhook($id: ID!, $input: NewWebhook!) {
    addWebhook(accountId: $id, input: $input) {
      webhook {
        uuid
        url
      }
      secret
    }
  }
`);

export const TestMessengerWebhook = graphql(`
  mutation TestMessengerWebhook($id: ID!) {
    testWebhook(id: $id) {
      delivered
      error
      status
      seconds
    }
  }
`);

export const SwitchMessengerWebhook = graphql(`
  mutation SwitchMessengerWebhook($id: ID!, $enabled: Boolean!) {
    updateWebhook(id: $id, input: { enabled: $enabled }) {
      uuid
      enabled
    }
  }
`);

export const RotateMessengerSecret = graphql(`
  mutation RotateMessengerSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      secret
    }
  }
`);

export const DeleteMessengerWebhook = graphql(`
  mutation DeleteMessengerWebhook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);
