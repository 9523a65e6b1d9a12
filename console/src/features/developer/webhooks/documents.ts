import { graphql } from "../../../gql";

export const Hooks = graphql(`
  query Hooks($first: Int!, $ofFeed: Boolean!, $ofAccounts: Boolean!) {
    webhooks(first: $first) @include(if: $ofFeed) {
      nodes {
        ...Hook
      }
      pageInfo {
        hasNextPage
      }
    }
    messengerAccounts(first: $first) @include(if: $ofAccounts) {
      nodes {
        uuid
        webhooks(first: 10) {
          nodes {
            ...Hook
          }
          pageInfo {
            hasNextPage
          }
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
  fragment Hook on Webhook {
    uuid
    url
    enabled
    disabledReason
    failures
    nextAt
    lastError
    lastStatus
    deliveredAt
    query
    batch
    sendingProjectUuid
    payingAccountId
    messengerAccountUuid
    missed
    createdAt
    events
    types
    replaying
    waiting
    dead
    account {
      uuid
      source
      login
      name
    }
  }
`);

export const OneHook = graphql(`
  query OneHook($id: ID!) {
    webhook(id: $id) {
      ...Hook
    }
  }
`);

export const HookChoices = graphql(`
  query HookChoices($events: Boolean!, $projects: Boolean!, $accounts: Boolean!, $messengers: Boolean!) {
    eventTypes @include(if: $events) {
      type
    }
    sendingProjects(first: 50) @include(if: $projects) {
      nodes {
        uuid
        name
      }
    }
    accounts(first: 50) @include(if: $accounts) {
      nodes {
        uuid
        name
        currency
      }
    }
    messengerAccounts(first: 50) @include(if: $messengers) {
      nodes {
        uuid
        source
        login
        name
      }
    }
  }
`);

export const CreateHook = graphql(`
  mutation CreateHook($input: NewEventWebhook!) {
    createWebhook(input: $input) {
      webhook {
        uuid
      }
      secret
    }
  }
`);

export const AddHook = graphql(`
  mutation AddHook($account: ID!, $input: NewWebhook!) {
    addWebhook(accountId: $account, input: $input) {
      webhook {
        uuid
      }
      secret
    }
  }
`);

export const ChangeHook = graphql(`
  mutation ChangeHook($id: ID!, $input: WebhookPatch!) {
    updateWebhook(id: $id, input: $input) {
      ...Hook
    }
  }
`);

export const DeleteHook = graphql(`
  mutation DeleteHook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

export const TestHook = graphql(`
  mutation TestHook($id: ID!) {
    testWebhook(id: $id) {
      delivered
      error
      status
      answer
      seconds
      body
    }
  }
`);

export const RotateHookSigning = graphql(`
  mutation RotateHookSigning($id: ID!) {
    rotateWebhookSecret(id: $id) {
      secret
    }
  }
`);

export const ReplayHook = graphql(`
  mutation ReplayHook($id: ID!, $input: WebhookReplay!) {
    replayWebhook(id: $id, input: $input)
  }
`);

export const ReplayDead = graphql(`
  mutation ReplayDead($id: ID!, $letters: [ID!]) {
    replayDeadLetters(webhookId: $id, ids: $letters)
  }
`);

export const PreviewHook = graphql(`
  query PreviewHook($input: WebhookPreview!) {
    previewWebhook(input: $input) {
      eventId
      type
      body
      bytes
      cost
    }
  }
`);

export const HookDeliveries = graphql(`
  query HookDeliveries($id: ID!, $first: Int!, $after: String, $where: WebhookDeliveryWhere) {
    webhookDeliveries(webhookId: $id, first: $first, after: $after, where: $where) {
      nodes {
        uuid
        type
        state
        attempts
        nextAt
        lastError
        lastStatus
        seconds
        replayed
        createdAt
        deliveredAt
        deadAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const OneDelivery = graphql(`
  query OneDelivery($id: ID!) {
    webhookDelivery(id: $id) {
      uuid
      eventId
      type
      state
      attempts
      nextAt
      lastError
      lastStatus
      answer
      seconds
      failedAttempts {
        at
        status
        error
        seconds
      }
      replayed
      createdAt
      deliveredAt
      deadAt
      body
    }
  }
`);

export const TryHookNow = graphql(`
  mutation TryHookNow($id: ID!) {
    tryWebhookNow(id: $id) {
      uuid
      failures
      nextAt
    }
  }
`);
