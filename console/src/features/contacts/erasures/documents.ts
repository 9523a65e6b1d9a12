import { graphql } from "../../../gql";

export const Erasures = graphql(`
  query Erasures($first: Int!, $after: String, $where: ErasureWhere) {
    erasures(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        state
        stateReason
        contactId
        requestedBy
        counts
        createdAt
        finishedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const OneErasure = graphql(`
  query OneErasure($id: ID!) {
    erasure(id: $id) {
      uuid
      deleted {
        subjectId
        name
      }
      notErased {
        kind
        reason
      }
    }
  }
`);

export const ErasePerson = graphql(`
  mutation ErasePerson($input: ErasePerson!) {
    erasePerson(input: $input) {
      uuid
    }
  }
`);
