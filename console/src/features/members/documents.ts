import { graphql } from "../../gql";

export const MemberRow = graphql(`
  fragment MemberRow on Member {
    uuid
    email
    role
    permissions
    hasOwnPermissions
    approvalAbove
    createdAt
    joinedAt
    expiresAt
  }
`);

// An owner has at most 100.
export const Members = graphql(`
  query Members {
    members(first: 100) {
      nodes {
        ...MemberRow
      }
    }
  }
`);

export const InviteMember = graphql(`
  mutation InviteMember($input: NewMember!) {
    inviteMember(input: $input) {
      token
      mailed
      member {
        ...MemberRow
      }
    }
  }
`);

export const ChangeMember = graphql(`
  mutation ChangeMember($id: ID!, $input: MemberPatch!) {
    changeMember(id: $id, input: $input) {
      ...MemberRow
    }
  }
`);

export const RemoveMember = graphql(`
  mutation RemoveMember($id: ID!, $input: MemberRemoval) {
    endMember(id: $id, input: $input) {
      ended {
        kind
        credentialUuid
        name
      }
    }
  }
`);

export const AcceptMembership = graphql(`
  mutation AcceptMembership($input: AcceptMembership!) {
    acceptMembership(input: $input) {
      uuid
      ownerUuid
      ownerEmail
      ownerName
      role
      permissions
    }
  }
`);

export const ApprovalRule = graphql(`
  query ApprovalRule {
    approvalRule {
      mode
      aboveRecipients
      aboveAmount
      channels
      categories
      selfApproval
      updatedAt
    }
  }
`);

export const SetApprovalRule = graphql(`
  mutation SetApprovalRule($input: ApprovalRuleInput!) {
    setApprovalRule(input: $input) {
      mode
      updatedAt
    }
  }
`);
