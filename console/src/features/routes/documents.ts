import { graphql } from "../../gql";

export const ConfiguredRoutes = graphql(`
  query ConfiguredRoutes {
    systemRoutes {
      name
      channel
      driver
      label
      state
      since
      probeAt
      enabled
      ignoresReceipts
      made
    }
  }
`);

export const RouteReceipts = graphql(`
  query RouteReceipts {
    routeQuality {
      route
      prefix
      sent
      delivered
      sentBefore
      deliveredBefore
      degradedSince
      retryAt
    }
  }
`);

export const CreateRoute = graphql(`
  mutation CreateRoute($input: NewSystemRoute!) {
    createSystemRoute(input: $input) {
      name
    }
  }
`);

export const DeleteRoute = graphql(`
  mutation DeleteRoute($name: String!) {
    deleteSystemRoute(name: $name)
  }
`);

export const SwitchRoute = graphql(`
  mutation SwitchRoute($name: String!, $enabled: Boolean!) {
    setSystemRoute(name: $name, input: { enabled: $enabled }) {
      name
      enabled
    }
  }
`);

export const IgnoreReceipts = graphql(`
  mutation IgnoreReceipts($name: String!, $ignoresReceipts: Boolean!) {
    setSystemRoute(name: $name, input: { ignoresReceipts: $ignoresReceipts }) {
      name
      ignoresReceipts
    }
  }
`);

export const RouteRulePage = graphql(`
  query RouteRulePage($first: Int!, $after: String, $where: RouteRuleWhere) {
    routeRules(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        prefix
        country
        route
        category
        priority
        weight
        fallback
        owner {
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

export const CreateRouteRule = graphql(`
  mutation CreateRouteRule($input: RouteRuleInput!) {
    createRouteRule(input: $input) {
      uuid
    }
  }
`);

export const UpdateRouteRule = graphql(`
  mutation UpdateRouteRule($id: ID!, $input: RouteRuleInput!) {
    updateRouteRule(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeleteRouteRule = graphql(`
  mutation DeleteRouteRule($id: ID!) {
    deleteRouteRule(id: $id)
  }
`);

export const RouteUsers = graphql(`
  query RouteUsers($where: UserWhere!) {
    users(first: 20, where: $where) {
      nodes {
        uuid
        email
      }
    }
  }
`);

export const RouteFor = graphql(`
  query RouteFor($input: TraceRoute!) {
    routeFor(input: $input) {
      to
      country
      candidates {
        route
        use
        state
        why
      }
      waits {
        message
      }
      sender
      senderWhy
      price
      currency
      pricePrefix
      refusal {
        code
        message
      }
    }
  }
`);
