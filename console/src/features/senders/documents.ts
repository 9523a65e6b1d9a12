import { graphql } from "../../gql";

export const SenderPage = graphql(`
  query SenderPage(
    $first: Int!
    $after: String
    $where: SourceAccountWhere
    $admin: Boolean!
    $messengers: Boolean!
  ) {
    sourceAccounts(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        source
        login
        name
        status
        tokenHint
        createdAt
        messengerAccount @include(if: $messengers) {
          uuid
          name
        }
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

/** The user's own messenger accounts, and whether each is a sender already. */
export const PossibleSenders = graphql(`
  query PossibleSenders($where: MessengerAccountWhere!) {
    messengerAccounts(first: 100, where: $where, orderBy: { field: name, direction: asc }) {
      nodes {
        uuid
        source
        login
        name
        sourceAccounts(first: 1) {
          nodes {
            uuid
          }
        }
      }
    }
  }
`);

export const CreateSender = graphql(`
  mutation CreateSender($input: NewSourceAccount!) {
    createSourceAccount(input: $input) {
      uuid
      name
    }
  }
`);

export const DeleteSender = graphql(`
  mutation DeleteSender($id: ID!) {
    deleteSourceAccount(id: $id)
  }
`);
