import { graphql } from "../gql";

export const Viewer = graphql(`
  query Viewer {
    me {
      uuid
      email
      displayName
      locale
      roles
    }
  }
`);
