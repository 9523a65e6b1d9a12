import { graphql } from "../../../../../gql";

/** The templates whose texts a project can have. */
export const StoredTemplates = graphql(`
  query StoredTemplates($after: String, $where: TemplateWhere) {
    templates(first: 100, after: $after, where: $where) {
      nodes {
        uuid
        key
        name
        category
        version
        versions(first: 1, where: { published: { eq: true } }) {
          nodes {
            uuid
            locales
            defaultLocale
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The template that the texts of a project come from. */
export const TemplateOfTexts = graphql(`
  query TemplateOfTexts($id: ID!) {
    template(id: $id) {
      uuid
      key
      name
      version
      archivedAt
    }
  }
`);

/** The template that the texts come from, and its languages if each recipient gets the own one. */
export const SourceOfTexts = graphql(`
  fragment SourceOfTexts on SendingProject {
    templateId
    templateVersion
    templateLocale
    languages {
      localeFrom
      texts {
        locale
      }
    }
  }
`);
