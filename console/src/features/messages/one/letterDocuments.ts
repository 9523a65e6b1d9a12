import { graphql } from "../../../gql";

/** A message of a project, rendered again. */
export const LetterOfMessage = graphql(`
  query LetterOfMessage($input: PreviewMessage!) {
    previewMessage(input: $input) {
      subject
      html
    }
  }
`);

/** The contact that has an address. */
export const ContactOfAddress = graphql(`
  query ContactOfAddress($where: ContactWhere!) {
    contacts(first: 1, where: $where) {
      nodes {
        uuid
        name
      }
    }
  }
`);
