import { graphql } from "../../../../gql";

/** The newest projects of a channel, to see which of them were started lately. */
export const RecentProjects = graphql(`
  query RecentProjects($where: SendingProjectWhere) {
    sendingProjects(first: 10, where: $where) {
      nodes {
        uuid
        name
        startedAt
      }
    }
  }
`);
