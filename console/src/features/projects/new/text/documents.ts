import { graphql } from "../../../../gql";

/** Whether the installation has a language model. */
export const WritesTexts = graphql(`
  query WritesTexts {
    installation {
      writesTexts
    }
  }
`);
