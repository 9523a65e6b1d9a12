import { graphql } from "../../gql";

export const BlockPage = graphql(`
  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {
    blockedPhones(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        phone
        reason
        scope
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const Block = graphql(`
  mutation Block($phone: String!, $input: BlockPhone) {
    blockPhone(phone: $phone, input: $input) {
      uuid
      phone
      reason
      scope
      createdAt
    }
  }
`);

export const Unblock = graphql(`
  mutation Unblock($phone: String!) {
    unblockPhone(phone: $phone)
  }
`);
