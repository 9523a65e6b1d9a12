import type { Rights } from "../../frame/rights";
import { graphql } from "../../gql";
import type { ChoicesQueryVariables } from "../../gql/graphql";

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
    sendAt
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
      subject
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
  query Choices($accounts: Boolean!, $projects: Boolean!, $tariff: Boolean!) {
    accounts(first: 100) @include(if: $accounts) {
      nodes {
        uuid
        name
        currency
        balance
      }
    }
    sendingProjects(first: 100) @include(if: $projects) {
      nodes {
        uuid
        name
      }
    }
    tariff @include(if: $tariff) {
      code
      channels
      prices
    }
  }
`);

export const CancelMessage = graphql(`
  mutation CancelMessage($id: ID!) {
    cancelMessage(id: $id) {
      ...DirectRow
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
  query OneMessage(
    $id: ID!
    $admin: Boolean!
    $direct: Boolean!
    $record: Boolean!
    $deliveries: Boolean!
    $senders: Boolean!
  ) {
    message(id: $id) @include(if: $direct) {
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
      steps {
        step
        channel
        to
        until
        within
        deliveryState
        price
        failureCode
        failureReason
        sentAt
        deliveredAt
      }
      webhookDeliveries(first: 20) @include(if: $deliveries) {
        nodes {
          ...DeliveryFields
        }
      }
      mailReports(first: 20) {
        nodes {
          ...ReportFields
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
    messageRecord(id: $id) @include(if: $record) {
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
      webhookDeliveries(first: 20) @include(if: $deliveries) {
        nodes {
          ...DeliveryFields
        }
      }
      mailReports(first: 20) @include(if: $direct) {
        nodes {
          ...ReportFields
        }
      }
      sender
      recipient {
        uuid
      }
      sourceAccount @include(if: $senders) {
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

/** Returns which choices a member may see. */
export function choicesFor({ may }: Rights): ChoicesQueryVariables {
  return { accounts: may("accounts:read"), projects: may("projects:read"), tariff: may("tariffs:read") };
}
