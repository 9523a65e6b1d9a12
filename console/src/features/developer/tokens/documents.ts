import { graphql } from "../../../gql";

export const Tokens = graphql(`
  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {
    apiTokens(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        name
        hint
        createdAt
        expiresAt
        revokedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const CreateToken = graphql(`
  mutation CreateToken($input: NewApiToken!) {
    createApiToken(input: $input) {
      token
      apiToken {
        uuid
        name
      }
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeToken($id: ID!) {
    revokeApiToken(id: $id) {
      uuid
    }
  }
`);
