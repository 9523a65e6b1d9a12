import { graphql } from "../../gql";

export const TemplatePage = graphql(`
  query TemplatePage($first: Int!, $after: String, $where: TemplateWhere, $admin: Boolean!) {
    templates(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        key
        name
        category
        version
        archivedAt
        updatedAt
        published: versions(first: 1, where: { published: { eq: true } }) {
          nodes {
            uuid
            locales
          }
        }
        drafts: versions(first: 1, where: { published: { eq: false } }) {
          nodes {
            uuid
            locales
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

export const CreateTemplate = graphql(`
  mutation CreateTemplate($input: NewTemplate!) {
    createTemplate(input: $input) {
      uuid
    }
  }
`);

export const UpdateTemplate = graphql(`
  mutation UpdateTemplate($id: ID!, $input: TemplatePatch!) {
    updateTemplate(id: $id, input: $input) {
      uuid
    }
  }
`);
