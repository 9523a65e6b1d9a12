import { graphql } from "../../../gql";

export const ProviderRoutes = graphql(`
  query ProviderRoutes {
    queueStatistics {
      routes {
        name
      }
    }
  }
`);
