import { graphql } from "../../gql";

export const PictureTile = graphql(`
  fragment PictureTile on Picture {
    uuid
    name
    mime
    width
    height
    size
    url
    createdAt
  }
`);

export const PicturePage = graphql(`
  query PicturePage($first: Int!, $after: String, $where: PictureWhere, $orderBy: PictureOrder) {
    pictures(first: $first, after: $after, where: $where, orderBy: $orderBy) {
      nodes {
        ...PictureTile
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const UploadPicture = graphql(`
  mutation UploadPicture($file: Upload!) {
    uploadPicture(file: $file) {
      ...PictureTile
    }
  }
`);
