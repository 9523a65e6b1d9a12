import { graphql } from "../../gql";

export const TariffFields = graphql(`
  fragment TariffFields on Tariff {
    code
    name
    public
    maxConcurrentProjects
    maxRecipientsPerProject
    messagesPerDay
    messagesPerMinute
    channels
    prices
    priceListId
  }
`);

export const OwnTariff = graphql(`
  query OwnTariff {
    tariff {
      code
      name
      maxConcurrentProjects
      messagesPerDay
      used {
        concurrentProjects
        messagesToday
        resetsAt
      }
    }
  }
`);

export const TariffPageQuery = graphql(`
  query TariffPage($first: Int!, $after: String) {
    tariffs(first: $first, after: $after) {
      nodes {
        ...TariffFields
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const OneTariff = graphql(`
  query OneTariff($code: String!) {
    tariffs(where: { code: { eq: $code } }) {
      nodes {
        ...TariffFields
      }
    }
    tariff {
      code
    }
  }
`);

export const TariffUsers = graphql(`
  query TariffUsers($code: String!) {
    users(first: 1, where: { tariffCode: { eq: $code } }) {
      totalCount
    }
  }
`);

export const SaveTariff = graphql(`
  mutation SaveTariff($input: SetTariff!) {
    setTariff(input: $input) {
      code
    }
  }
`);
