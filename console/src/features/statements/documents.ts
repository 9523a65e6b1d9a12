import { graphql } from "../../gql";

export const StatementList = graphql(`
  query StatementList($id: ID!, $settings: Boolean!) {
    account(id: $id) {
      uuid
      name
      currency
    }
    accountStatements(id: $id) {
      month
      state
      currency
      openingBalance
      closingBalance
      madeAt
    }
    settings(scope: account, accountId: $id) @include(if: $settings)
  }
`);

export const OneStatement = graphql(`
  query OneStatement($id: ID!, $month: String!) {
    account(id: $id) {
      uuid
      name
    }
    accountStatement(id: $id, month: $month) {
      month
      number
      state
      keyId
      madeAt
      document
      signature
      keys
      pageUrl
    }
  }
`);

export const MailStatements = graphql(`
  mutation MailStatements($input: SetSetting!) {
    setSetting(input: $input) {
      key
      value
    }
  }
`);
