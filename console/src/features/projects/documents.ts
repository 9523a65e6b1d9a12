import { graphql } from "../../gql";

/** What a list shows of a project, and what its page needs to know first. */
export const ProjectRow = graphql(`
  fragment ProjectRow on SendingProject {
    uuid
    name
    status
    statusReason
    resumeAt
    recipientsPending
    recipientsError
    channel
    followsUuid
    startAt
    createdAt
    updatedAt
    startedAt
    finishedAt
    counts {
      total
      queued
      sending
      sent
      delivered
      read
      failed
      skipped
      unknown
      canceled
      replied
    }
    progress {
      total
      done
      percent
      preparing
      perMinute
      etaSeconds
      endsAt
    }
  }
`);

export const ProjectPageQuery = graphql(`
  query ProjectRows(
    $first: Int!
    $after: String
    $where: SendingProjectWhere
    $orderBy: SendingProjectOrder
  ) {
    sendingProjects(first: $first, after: $after, where: $where, orderBy: $orderBy) {
      nodes {
        ...ProjectRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const ProjectTotal = graphql(`
  query ProjectTotal($where: SendingProjectWhere) {
    sendingProjects(first: 1, where: $where) {
      totalCount
    }
  }
`);

export const ProjectsMoved = graphql(`
  subscription ProjectsMoved {
    sendingProjectProgress {
      ...ProjectRow
    }
  }
`);

export const OneProject = graphql(`
  query OneProject(
    $id: ID!
    $admin: Boolean!
    $accounts: Boolean!
    $files: Boolean!
    $recipients: Boolean!
    $senders: Boolean!
  ) {
    sendingProject(id: $id) {
      ...ProjectRow
      messagesDeletedAt
      retrySuppressed
      ...ProjectOwnSettings
      ...ProjectFiles @include(if: $files)
      ...ProjectSenders @include(if: $senders)
      processing {
        stuck
        lastProgressAt
      }
      failureReasons {
        code
        count
        skipped
      }
      variantStatistics {
        variant
        counts {
          total
          sent
          delivered
          read
          failed
          replied
        }
        rates {
          delivered
          read
          failed
          replied
        }
      }
      ...ProjectOutcome
      rates {
        sent
        delivered
        read
        failed
        replied
      }
      account @include(if: $accounts) {
        uuid
        name
        currency
        balance
      }
      cost @include(if: $accounts) {
        currency
        cost
        charged
        refunded
      }
      recipients(first: 1) @include(if: $recipients) {
        totalCount
      }
      repeatable {
        uuid
        name
      }
      follows {
        uuid
        name
      }
      owner @include(if: $admin) {
        uuid
        email
      }
    }
  }
`);

export const ProjectMoved = graphql(`
  subscription ProjectMoved($id: ID!) {
    sendingProjectProgress(id: $id) {
      ...ProjectRow
    }
  }
`);

/** The settings of a project that its owner chooses, with the files and senders that it names. */
export const ProjectSettings = graphql(`
  fragment ProjectSettings on SendingProject {
    ...ProjectOwnSettings
    ...ProjectFiles
    ...ProjectSenders
  }
`);

export const ProjectFiles = graphql(`
  fragment ProjectFiles on SendingProject {
    attachments {
      uuid
      name
      size
      url
    }
  }
`);

export const ProjectSenders = graphql(`
  fragment ProjectSenders on SendingProject {
    sourceAccounts {
      uuid
      name
      login
      status
    }
  }
`);

export const ProjectOwnSettings = graphql(`
  fragment ProjectOwnSettings on SendingProject {
    uuid
    name
    status
    channel
    category
    accountId
    accountUuids
    from
    sender
    subject
    html
    text
    ...SourceOfTexts
    startAt
    startWithinSeconds
    onMissingVariable
    stopOnReply
    trackClicks
    variableLabels
    attachmentUuids
    audience {
      topicUuids
      segmentUuids
      exceptTopicUuids
      exceptSegmentUuids
      exceptProjectUuids
      follows {
        projectUuid
        until
        within
      }
    }
    template {
      name
      language
      params
    }
    retry {
      maxAttempts
      backoffSeconds
    }
    variants {
      text
      weight
    }
    window {
      timezone
      days
      from
      to
      recipientTimezone
    }
    speed {
      perMinute
      perAccountPerMinute
      jitterSeconds
    }
  }
`);

export const StartProject = graphql(`
  mutation StartProject($id: ID!, $input: StartProject) {
    startSendingProject(id: $id, input: $input) {
      ...ProjectRow
    }
  }
`);

export const StopProject = graphql(`
  mutation StopProject($id: ID!) {
    stopSendingProject(id: $id) {
      ...ProjectRow
    }
  }
`);

export const RetryProject = graphql(`
  mutation RetryProject($id: ID!, $input: RetryProject) {
    retrySendingProject(id: $id, input: $input) {
      ...ProjectRow
    }
  }
`);

export const DeleteProject = graphql(`
  mutation DeleteProject($id: ID!) {
    deleteSendingProject(id: $id)
  }
`);

export const DuplicateProject = graphql(`
  mutation DuplicateProject($id: ID!, $input: DuplicateProject!) {
    duplicateSendingProject(id: $id, input: $input) {
      uuid
    }
  }
`);
