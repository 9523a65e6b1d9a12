import { graphql } from "../../../gql";

export const DeletePicture = graphql(`
  mutation DeletePicture($id: ID!) {
    deletePicture(id: $id)
  }
`);
