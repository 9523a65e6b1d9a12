import { graphql } from "../../gql";

export const TrafficRows = graphql(`
  query TrafficRows($input: TrafficInput!) {
    traffic(input: $input) {
      countedUntil
      total
      items {
        country
        route
        sender
        ownerUuid
        channel
        messages
        parts
        delivered
        currency
        charged
        costCurrency
        cost
        withoutCost
        margin
      }
    }
  }
`);

export const CostsOfRoutes = graphql(`
  query CostsOfRoutes {
    routeCosts {
      route
      listId
      validFrom
    }
    priceLists(first: 100) {
      nodes {
        uuid
        name
        currency
      }
    }
    systemRoutes {
      name
      channel
    }
  }
`);

export const SetRouteCosts = graphql(`
  mutation SetRouteCosts($route: String!, $input: RouteCostInput!) {
    setRouteCosts(route: $route, input: $input) {
      route
    }
  }
`);

export const Invoices = graphql(`
  query Invoices($first: Int!, $after: String) {
    providerInvoices(first: $first, after: $after) {
      nodes {
        uuid
        route
        periodFrom
        periodTo
        currency
        status
        statusReason
        lines
        compared
        sums {
          verdict
          count
          billed
          expected
        }
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const CreateInvoice = graphql(`
  mutation CreateInvoice($input: NewProviderInvoice!) {
    createProviderInvoice(input: $input) {
      uuid
    }
  }
`);

export const DeleteInvoice = graphql(`
  mutation DeleteInvoice($id: ID!) {
    deleteProviderInvoice(id: $id)
  }
`);
