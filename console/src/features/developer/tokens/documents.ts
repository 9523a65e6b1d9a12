import { graphql } from "../../../gql";

export const TokenRow = graphql(`
  fragment TokenRow on ApiToken {
    uuid
    name
    hint
    createdAt
    expiresAt
    revokedAt
    scopes
    networks
    accountIds
    spendPerDay
    messagesPerDay
    approvalAbove
    lastUsedAt
    lastUsedIp
    lastRefusedAt
    lastRefusal
  }
`);

/** The accounts that a token can be limited to. */
export const PayingAccounts = graphql(`
  query PayingAccounts {
    accounts(first: 100) {
      nodes {
        uuid
        name
        currency
      }
    }
  }
`);

export const Tokens = graphql(`
  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {
    apiTokens(first: $first, after: $after, where: $where) {
      nodes {
        ...TokenRow
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

export const ChangeToken = graphql(`
  mutation ChangeToken($id: ID!, $input: ApiTokenPatch!) {
    updateApiToken(id: $id, input: $input) {
      uuid
      name
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeToken($id: ID!, $keepWebhooks: Boolean!) {
    revokeApiToken(id: $id, keepWebhooks: $keepWebhooks) {
      uuid
    }
  }
`);
