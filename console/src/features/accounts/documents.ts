import { graphql } from "../../gql";

export const AccountRow = graphql(`
  fragment AccountRow on Account {
    uuid
    name
    plan
    balance
    owed
    currency
    lowBalance
    createdAt
  }
`);

export const AccountPage = graphql(`
  query AccountPage($first: Int!, $after: String, $where: AccountWhere, $count: Boolean!, $admin: Boolean!) {
    accounts(first: $first, after: $after, where: $where) {
      nodes {
        ...AccountRow
        owner @include(if: $admin) {
          uuid
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount @include(if: $count)
    }
  }
`);

export const OwnerOf = graphql(`
  query OwnerOf($id: ID!) {
    user(id: $id) {
      uuid
      email
    }
  }
`);

export const OneAccount = graphql(`
  query OneAccount($id: ID!, $admin: Boolean!) {
    account(id: $id) {
      ...AccountRow
      owner @include(if: $admin) {
        uuid
        email
      }
    }
  }
`);

export const LedgerPage = graphql(`
  query LedgerPage(
    $id: ID!
    $first: Int!
    $after: String
    $where: LedgerWhere
    $admin: Boolean!
    $messages: Boolean!
    $projects: Boolean!
  ) {
    account(id: $id) {
      uuid
      ledger(first: $first, after: $after, where: $where) {
        nodes {
          uuid
          kind
          amount
          note
          entryCount
          createdAt
          projectId
          projectCost {
            cost
            charged
            refunded
            entries
          }
          message @include(if: $messages) {
            uuid
            to
            channel
          }
          sendingProject @include(if: $projects) {
            uuid
            name
          }
          creator @include(if: $admin) {
            uuid
            email
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** The charges and refunds of one project, which are one line of the ledger. */
export const ProjectEntries = graphql(`
  query ProjectEntries($id: ID!, $project: String!, $first: Int!, $after: String) {
    account(id: $id) {
      uuid
      ledger(first: $first, after: $after, where: { projectId: { eq: $project } }) {
        nodes {
          uuid
          kind
          amount
          createdAt
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const AccountMoved = graphql(`
  subscription AccountMoved($id: ID!) {
    messageStatusChanged(accountId: $id) {
      uuid
    }
  }
`);

export const OpenAccount = graphql(`
  mutation OpenAccount($input: NewAccount!) {
    createAccount(input: $input) {
      uuid
    }
  }
`);

export const ChangeAccount = graphql(`
  mutation ChangeAccount($id: ID!, $input: AccountPatch!) {
    updateAccount(id: $id, input: $input) {
      ...AccountRow
    }
  }
`);

export const SetLowBalance = graphql(`
  mutation SetLowBalance($id: ID!, $below: Decimal) {
    setLowBalance(id: $id, below: $below) {
      ...AccountRow
    }
  }
`);

export const CreditAccount = graphql(`
  mutation CreditAccount($input: Credit!) {
    creditAccount(input: $input) {
      ...AccountRow
    }
  }
`);

/** All currencies, to choose one for an account. */
export const Currencies = graphql(`
  query Currencies($language: String!) {
    currencies(language: $language) {
      code
      name
    }
  }
`);
