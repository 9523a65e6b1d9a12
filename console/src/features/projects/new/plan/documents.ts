import { graphql } from "../../../../gql";

/** The messages that a few recipients of a project would get now. */
export const ProjectSamples = graphql(`
  query ProjectSamples($id: ID!) {
    sendingProjectSamples(id: $id) {
      from
      messages {
        to
        subject
        body
        html
        missing
      }
    }
  }
`);
