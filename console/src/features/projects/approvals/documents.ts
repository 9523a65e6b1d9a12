import { graphql } from "../../../gql";

export const ApprovalRow = graphql(`
  fragment ApprovalRow on Approval {
    uuid
    planUuid
    state
    note
    changed
    askedAt
    decidedAt
    expiresAt
    askedByEmail
    decidedByEmail
    voidedByEmail
    askedByToken
    plan {
      uuid
      number
      atMostRecipients
    }
    sendingProject {
      uuid
      name
      channel
      status
    }
  }
`);

export const ApprovalRows = graphql(`
  query ApprovalRows($first: Int!, $after: String, $where: ApprovalWhere) {
    approvals(first: $first, after: $after, where: $where) {
      nodes {
        ...ApprovalRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** All that is to be seen before a decision. */
export const ReviewedApproval = graphql(`
  query ReviewedApproval($id: ID!) {
    approvalReview(id: $id) {
      isCurrent
      mayDecide
      whyNotCode
      differences {
        field
        old
        new
      }
      messages {
        to
        subject
        body
        html
        missing
      }
      approval {
        ...ApprovalRow
        askedBy
      }
      plan {
        uuid
        number
        hash
        atMost
        atMostRecipients
        createdAt
        expiresAt
        document
      }
      since {
        uuid
        number
        document
      }
    }
  }
`);

/** Tells whether somebody has decided, or has changed what will be sent. */
export const ApprovalState = graphql(`
  query ApprovalState($id: ID!) {
    approval(id: $id) {
      uuid
      state
      decidedAt
    }
  }
`);

export const DecideApproval = graphql(`
  mutation DecideApproval($id: ID!, $input: DecideApproval!) {
    decideApproval(id: $id, input: $input) {
      uuid
      state
    }
  }
`);

export const WithdrawApproval = graphql(`
  mutation WithdrawApproval($id: ID!) {
    withdrawApproval(id: $id) {
      uuid
      state
    }
  }
`);

/** The newest plan of a project, what was decided last, and whether a rule asks for a decision. */
export const PlanOfProject = graphql(`
  query PlanOfProject($id: String!) {
    storedPlans(first: 1, where: { sendingProjectUuid: { eq: $id } }) {
      nodes {
        uuid
        number
        hash
        isCurrent
        createdAt
        expiresAt
      }
    }
    approvals(first: 1, where: { sendingProjectUuid: { eq: $id } }) {
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

export const MakeProjectPlan = graphql(`
  mutation MakeProjectPlan($id: ID!) {
    makeProjectPlan(id: $id) {
      uuid
      number
    }
  }
`);

export const AskApproval = graphql(`
  mutation AskApproval($id: ID!, $input: AskApproval!) {
    askApproval(id: $id, input: $input) {
      uuid
      state
    }
  }
`);
