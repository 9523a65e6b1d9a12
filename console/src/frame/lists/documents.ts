import { graphql } from "../../gql";

export const OneImport = graphql(`
  query OneImport($id: ID!) {
    recipientImport(id: $id) {
      uuid
      status
      statusReason
      fileUuid
      fileName
      region
      total
      valid
      invalid
      duplicates
      contacts {
        created
        changed
        unchanged
        mapping
        subscribed
        subscribedBefore
        withdrawnBefore
        withoutAddress
        suppressed
      }
    }
  }
`);

export const BadRows = graphql(`
  query BadRows($id: ID!, $first: Int!, $after: String) {
    recipientImport(id: $id) {
      uuid
      rows(first: $first, after: $after, where: { valid: { eq: false } }) {
        nodes {
          line
          error {
            code
            message
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

export const Countries = graphql(`
  query Countries($language: String) {
    countries(language: $language) {
      code
      name
      dialCode
    }
  }
`);
