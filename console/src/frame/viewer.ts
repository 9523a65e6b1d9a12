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
    memberships {
      uuid
      ownerUuid
      ownerEmail
      ownerName
      role
      permissions
    }
    installation {
      modules
      billing
      purposes
    }
  }
`);
