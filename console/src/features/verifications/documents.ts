import { graphql } from "../../gql";

/** Codes by country, the groups of numbers that were suspected, and the protection from them. */
export const VerificationsPage = graphql(`
  query VerificationsPage($hours: Int!) {
    verificationReport(hours: $hours) {
      since
      enabled
      countries {
        country
        started
        approved
        suppressed
      }
      saved {
        currency
        amount
        messages
      }
    }
    suspectedGroups(first: 50) {
      nodes {
        uuid
        kind
        value
        country
        hour
        threshold
        started
        approved
        suppressed
        saved
        currency
        updatedAt
      }
    }
    verificationProtection {
      enabled
      allowedPrefixes
    }
  }
`);

export const SaveProtection = graphql(`
  mutation SaveProtection($input: SetVerificationProtection!) {
    setVerificationProtection(input: $input) {
      enabled
      allowedPrefixes
    }
  }
`);
