import { graphql } from "../../gql";

export const TopicRow = graphql(`
  fragment TopicRow on Topic {
    uuid
    key
    name
    description
    category
    optIn
    public
    position
    translations {
      locale
      name
      description
    }
  }
`);

// An owner has at most 100.
export const Topics = graphql(`
  query Topics($where: TopicWhere) {
    topics(first: 100, where: $where, orderBy: { direction: asc }) {
      nodes {
        ...TopicRow
      }
    }
  }
`);
