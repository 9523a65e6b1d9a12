import { graphql } from "../../../gql";

export const RepeatableRow = graphql(`
  fragment RepeatableRow on RepeatableSendingProject {
    uuid
    name
    status
    nextRunAt
    lastRunAt
    runs
    lastError
    createdAt
    schedule {
      rrule
      cron
      timezone
      startAt
      endAt
      maxRuns
      misfire
    }
  }
`);

export const RepeatablePageQuery = graphql(`
  query RepeatableRows($first: Int!, $after: String) {
    repeatableSendingProjects(first: $first, after: $after) {
      nodes {
        ...RepeatableRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const OneRepeatable = graphql(`
  query OneRepeatable($id: ID!, $accounts: Boolean!, $recipients: Boolean!) {
    repeatableSendingProject(id: $id) {
      ...RepeatableRow
      nextRuns(count: 8)
      template {
        channel
        category
        subject
        text
        variants {
          text
          weight
        }
      }
      recipientImport @include(if: $recipients) {
        uuid
        fileName
        valid
      }
      sourceProject {
        uuid
        name
      }
      account @include(if: $accounts) {
        uuid
        name
      }
      sendingProjects(first: 20) {
        nodes {
          ...ProjectRow
        }
      }
    }
  }
`);

export const StartRepeatable = graphql(`
  mutation StartRepeatable($id: ID!) {
    startRepeatableSendingProject(id: $id) {
      ...RepeatableRow
    }
  }
`);

export const StopRepeatable = graphql(`
  mutation StopRepeatable($id: ID!) {
    stopRepeatableSendingProject(id: $id) {
      ...RepeatableRow
    }
  }
`);

export const DeleteRepeatable = graphql(`
  mutation DeleteRepeatable($id: ID!) {
    deleteRepeatableSendingProject(id: $id)
  }
`);

export const ProjectToRepeat = graphql(`
  query ProjectToRepeat($id: ID!) {
    sendingProject(id: $id) {
      ...ProjectSettings
    }
  }
`);

export const CreateRepeatable = graphql(`
  mutation CreateRepeatable($input: NewRepeatableProject!) {
    createRepeatableSendingProject(input: $input) {
      uuid
    }
  }
`);

/** Everything that a change of the template sends back: it is replaced as a whole. */
export const RepeatableToEdit = graphql(`
  query RepeatableToEdit($id: ID!) {
    repeatableSendingProject(id: $id) {
      ...RepeatableRow
      template {
        channel
        accountId
        accountUuids
        from
        sender
        subject
        html
        text
        attachmentUuids
        onMissingVariable
        stopOnReply
        trackClicks
        category
        variants {
          text
          weight
        }
        template {
          name
          language
          params
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
        retry {
          maxAttempts
          backoffSeconds
        }
      }
    }
  }
`);

export const UpdateRepeatable = graphql(`
  mutation UpdateRepeatable($id: ID!, $input: RepeatablePatch!) {
    updateRepeatableSendingProject(id: $id, input: $input) {
      ...RepeatableRow
    }
  }
`);

/** The newest approvals of its runs, and whether a rule asks for them. */
export const RunApprovals = graphql(`
  query RunApprovals($id: String!) {
    approvals(first: 5, where: { repeatableUuid: { eq: $id } }) {
      nodes {
        ...ApprovalRow
      }
    }
    approvalRule {
      mode
      aboveRecipients
      aboveAmount
      channels
      categories
    }
  }
`);
