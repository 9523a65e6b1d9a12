import { graphql } from "../../gql";

// An owner has at most 100.
export const SenderDomains = graphql(`
  query SenderDomains($where: DomainWhere!) {
    domains(first: 100, where: $where) {
      nodes {
        name
        status
      }
    }
  }
`);
