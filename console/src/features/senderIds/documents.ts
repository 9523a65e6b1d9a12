import { graphql } from "../../gql";

export const SenderIdPage = graphql(`
  query SenderIdPage($first: Int!, $after: String, $where: SenderWhere, $admin: Boolean!) {
    senders(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        channel
        kind
        value
        countries
        state
        reason
        createdAt
        owner @include(if: $admin) {
          uuid
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

/** Everybody's senders that are spelled like one. */
export const SameSenders = graphql(`
  query SameSenders($value: String!) {
    senders(first: 20, where: { value: { eq: $value }, channel: { eq: sms } }) {
      nodes {
        uuid
        value
        state
        owner {
          uuid
          email
        }
      }
    }
  }
`);

export const RequestSender = graphql(`
  mutation RequestSender($input: NewSender!) {
    requestSender(input: $input) {
      value
      state
    }
  }
`);

export const UpdateSender = graphql(`
  mutation UpdateSender($id: ID!, $input: SenderPatch!) {
    updateSender(id: $id, input: $input) {
      value
      state
    }
  }
`);

export const DecideSender = graphql(`
  mutation DecideSender($id: ID!, $input: SenderDecision!) {
    decideSender(id: $id, input: $input) {
      value
      state
    }
  }
`);

export const DeleteSenderId = graphql(`
  mutation DeleteSenderId($id: ID!) {
    deleteSender(id: $id)
  }
`);
