import { graphql } from "../../gql";

export const FilePage = graphql(`
  query FilePage(
    $first: Int!
    $after: String
    $where: FileWhere
    $orderBy: FileOrder
    $admin: Boolean!
    $imports: Boolean!
    $exports: Boolean!
  ) {
    files(first: $first, after: $after, where: $where, orderBy: $orderBy) {
      nodes {
        uuid
        name
        mime
        size
        createdAt
        url
        imports(first: 1) @include(if: $imports) {
          nodes {
            uuid
            status
            valid
          }
        }
        exports(first: 1) @include(if: $exports) {
          nodes {
            uuid
            source
            sendingProject {
              uuid
              name
            }
          }
        }
        owner @include(if: $admin) {
          uuid
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const DeleteFile = graphql(`
  mutation DeleteFile($id: ID!) {
    deleteFile(id: $id)
  }
`);
