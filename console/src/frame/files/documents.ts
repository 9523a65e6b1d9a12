import { graphql } from "../../gql";

export const UploadList = graphql(`
  mutation UploadList($file: Upload!) {
    uploadFile(file: $file) {
      uuid
      name
      size
    }
  }
`);
