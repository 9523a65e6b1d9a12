import { graphql } from "../../../gql";

export const PreviewContacts = graphql(`
  query PreviewContacts($input: NewContactImport!) {
    previewContactImport(input: $input) {
      headerRow
      columns {
        name
        samples
      }
      mapping
    }
  }
`);

export const ImportContacts = graphql(`
  mutation ImportContacts($input: NewContactImport!) {
    importContacts(input: $input) {
      uuid
    }
  }
`);
