import { graphql } from "../../gql";

export const DirectRow = graphql(`
  fragment DirectRow on Message {
    uuid
    direction
    channel
    to
    sender
    body
    metadata
    deliveryState
    failureCode
    price
    createdAt
    updatedAt
    account {
      uuid
      currency
    }
  }
`);

export const RecordRow = graphql(`
  fragment RecordRow on MessageRecord {
    uuid
    direction
    channel
    to
    body
    status
    failureCode
    price
    queuedAt
    updatedAt
    sendingProject {
      uuid
      name
    }
    account {
      uuid
      currency
    }
  }
`);

export const DirectPage = graphql(`
  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {
    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {
      nodes {
        ...DirectRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const RecordPage = graphql(`
  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {
    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {
      nodes {
        ...RecordRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const DirectTotal = graphql(`
  query DirectTotal($where: MessageWhere) {
    messages(first: 1, where: $where) {
      totalCount
    }
  }
`);

export const RecordTotal = graphql(`
  query RecordTotal($where: MessageRecordWhere) {
    messageRecords(first: 1, where: $where) {
      totalCount
    }
  }
`);

export const DirectChanged = graphql(`
  subscription DirectChanged {
    messageStatusChanged {
      ...DirectRow
    }
  }
`);

export const RecordsMoved = graphql(`
  subscription RecordsMoved {
    sendingProjectProgress {
      uuid
    }
  }
`);

export const Choices = graphql(`
  query Choices {
    accounts(first: 100) {
      nodes {
        uuid
        name
        currency
        balance
      }
    }
    sendingProjects(first: 100) {
      nodes {
        uuid
        name
      }
    }
    tariff {
      code
      channels
      prices
    }
  }
`);

export const SendMessage = graphql(`
  mutation SendMessage($input: SendMessage!) {
    sendMessage(input: $input) {
      ...DirectRow
      segments
    }
  }
`);

export const Segments = graphql(`
  query Segments($variables: JSON!) {
    previewMessage(input: { channel: sms, text: "{{ body }}", variables: $variables }) {
      segments
      characters
      encoding
    }
  }
`);

export const AttemptFields = graphql(`
  fragment AttemptFields on FailedAttempt {
    at
    code
    reason
    provider
  }
`);

export const DeliveryFields = graphql(`
  fragment DeliveryFields on WebhookDelivery {
    uuid
    type
    state
    attempts
    createdAt
    webhook {
      uuid
      url
    }
  }
`);

export const OneMessage = graphql(`
  query OneMessage($id: ID!, $admin: Boolean!) {
    message(id: $id) {
      ...DirectRow
      accountId
      category
      trial
      segments
      attempts
      provider
      providerMessageId
      failureReason
      sentAt
      deliveredAt
      failedAttempts {
        ...AttemptFields
      }
      webhookDeliveries(first: 20) {
        nodes {
          ...DeliveryFields
        }
      }
      ledgerEntries {
        uuid
        kind
        amount
        createdAt
      }
      account {
        uuid
        name
        currency
      }
      owner @include(if: $admin) {
        uuid
        email
      }
    }
    messageRecord(id: $id) {
      ...RecordRow
      attempts
      variant
      provider
      providerMessageId
      failureReason
      sentAt
      deliveredAt
      readAt
      repliedAt
      failedAttempts {
        ...AttemptFields
      }
      webhookDeliveries(first: 20) {
        nodes {
          ...DeliveryFields
        }
      }
      sourceAccount {
        uuid
        login
        source
      }
      account {
        uuid
        name
        currency
      }
    }
  }
`);

export const OneChanged = graphql(`
  subscription OneChanged($id: ID!) {
    messageStatusChanged(id: $id) {
      uuid
      deliveryState
      updatedAt
    }
  }
`);

export const BlockRecipients = graphql(`
  mutation BlockRecipients($input: BlockMany!) {
    blockPhones(input: $input) {
      added
      changed
      unchanged
      invalid {
        place
        message
      }
    }
  }
`);
