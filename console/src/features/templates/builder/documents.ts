import { graphql } from "../../../gql";

/** What a letter takes from the brand of its sender. */
export const BrandOfLetter = graphql(`
  query BrandOfLetter {
    brand {
      colors {
        background
        text
        accent
        buttonText
      }
      font
      address
      imprint
      links {
        text
        url
      }
    }
  }
`);
