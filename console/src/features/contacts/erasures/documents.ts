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
        deleted {
          kind
          subjectId
          name
        }
        notErased {
          kind
          reason
        }
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

export const ErasePerson = graphql(`
  mutation ErasePerson($input: ErasePerson!) {
    erasePerson(input: $input) {
      uuid
    }
  }
`);
