import { graphql } from "../../../../gql";

/** When its messages left, in columns of a chart. */
export const ProjectTraffic = graphql(`
  query ProjectTraffic(
    $id: ID!
    $interval: Interval!
    $from: DateTime
    $until: DateTime
    $timezone: String!
  ) {
    sendingProject(id: $id) {
      uuid
      statistics(interval: $interval, dateFrom: $from, dateTo: $until, timezone: $timezone) {
        from
        sent
        delivered
        failed
      }
    }
  }
`);

export const ProjectReconciliation = graphql(`
  query ProjectReconciliation($id: ID!) {
    sendingProjectReconciliation(id: $id) {
      number
      kind
      state
      settled
      root
      keyId
      madeAt
      document
      signature
      keys
      pageUrl
    }
  }
`);
