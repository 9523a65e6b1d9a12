import { graphql } from "../../gql";

export const Permissions = graphql(`
  query Permissions {
    permissions {
      name
      description
      presets
      granted
    }
  }
`);
