import { graphql } from "../../gql";

export const CountryRuleFields = graphql(`
  fragment CountryRuleFields on CountryRule {
    allow
    deny
    perHour
    perDay
  }
`);

export const CountryRulesPage = graphql(`
  query CountryRulesPage($user: ID) {
    countryRules(userUuid: $user) {
      installation {
        ...CountryRuleFields
      }
      own {
        ...CountryRuleFields
      }
      effective {
        ...CountryRuleFields
      }
      limited {
        ownerUuid
        country
        cap
        until
        createdAt
      }
    }
  }
`);

export const CountryUser = graphql(`
  query CountryUser($id: ID!) {
    user(id: $id) {
      uuid
      email
    }
  }
`);

export const SaveCountryRules = graphql(`
  mutation SaveCountryRules($input: SetCountryRules!) {
    setCountryRules(input: $input) {
      own {
        ...CountryRuleFields
      }
    }
  }
`);

export const CheckCountry = graphql(`
  query CheckCountry($to: String!, $user: ID) {
    checkCountry(to: $to, userUuid: $user) {
      to
      country
      allowed
      refusedBy
      leftThisHour
      leftToday
    }
  }
`);
