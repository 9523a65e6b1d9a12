import { graphql } from "../../../../gql";

/** Projects whose recipients may be left out: the newest, and those that are left out already. */
export const EarlierProjects = graphql(`
  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {
    newest: sendingProjects(first: 30, where: $newest) {
      nodes {
        uuid
        name
      }
    }
    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {
      nodes {
        uuid
        name
      }
    }
  }
`);
