import { graphql } from "../../../gql";

export const OneTemplate = graphql(`
  query OneTemplate($id: ID!) {
    template(id: $id) {
      uuid
      key
      name
      category
      version
      archivedAt
    }
  }
`);

/** The languages of the newest published version. */
export const PublishedLocales = graphql(`
  query PublishedLocales($id: ID!) {
    template(id: $id) {
      uuid
      versions(first: 1, where: { published: { eq: true } }) {
        nodes {
          uuid
          locales
          defaultLocale
        }
      }
    }
  }
`);

/** Gives a project the texts of a template. */
export const TakeTexts = graphql(`
  mutation TakeTexts($id: ID!, $input: SendingProjectPatch!) {
    updateSendingProject(id: $id, input: $input) {
      uuid
    }
  }
`);

export const VersionRow = graphql(`
  fragment VersionRow on TemplateVersion {
    uuid
    number
    name
    locales
    publishedAt
    updatedAt
  }
`);

export const VersionTexts = graphql(`
  fragment VersionTexts on TemplateVersion {
    ...VersionRow
    defaultLocale
    layoutKey
    testData
    texts {
      locale
      subject
      preheader
      text
      html
      source
    }
  }
`);

export const VersionPage = graphql(`
  query VersionPage($first: Int!, $after: String, $where: TemplateVersionWhere) {
    templateVersions(first: $first, after: $after, where: $where) {
      nodes {
        ...VersionRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const OneVersion = graphql(`
  query OneVersion($id: ID!) {
    templateVersion(id: $id) {
      ...VersionTexts
    }
  }
`);

export const SaveVersion = graphql(`
  mutation SaveVersion($template: ID!, $input: SaveTemplateVersion!) {
    saveTemplateVersion(templateId: $template, input: $input) {
      ...VersionTexts
    }
  }
`);

export const ChangeVersion = graphql(`
  mutation ChangeVersion($id: ID!, $input: SaveTemplateVersion!) {
    changeTemplateVersion(id: $id, input: $input) {
      ...VersionTexts
    }
  }
`);

export const PublishVersion = graphql(`
  mutation PublishVersion($id: ID!) {
    publishTemplateVersion(id: $id) {
      ...VersionTexts
    }
  }
`);

export const DeleteVersion = graphql(`
  mutation DeleteVersion($id: ID!) {
    deleteTemplateVersion(id: $id)
  }
`);

export const ArchiveTemplate = graphql(`
  mutation ArchiveTemplate($id: ID!) {
    archiveTemplate(id: $id) {
      uuid
    }
  }
`);

export const UnarchiveTemplate = graphql(`
  mutation UnarchiveTemplate($id: ID!) {
    unarchiveTemplate(id: $id) {
      uuid
    }
  }
`);

export const DeleteTemplate = graphql(`
  mutation DeleteTemplate($id: ID!) {
    deleteTemplate(id: $id)
  }
`);

/** A saved version, with its layout and its partials. */
export const PreviewVersion = graphql(`
  query PreviewVersion($id: ID!, $input: PreviewTemplateVersion!) {
    # So that the preview is read again when the draft was saved.
    templateVersion(id: $id) {
      uuid
      updatedAt
    }
    templatePreview(id: $id, input: $input) {
      subject
      body
      html
      variables
      missing
      segments
    }
  }
`);

/** A text that is being written, and that the server does not have yet. */
export const PreviewTyped = graphql(`
  query PreviewTyped($input: PreviewMessage!) {
    previewMessage(input: $input) {
      subject
      body
      html
      variables
      missing
      segments
    }
  }
`);

export const Differences = graphql(`
  query Differences($id: ID!, $against: ID!) {
    templateVersionDiff(id: $id, against: $against) {
      layout
      parts {
        locale
        part
        difference
        truncated
      }
    }
  }
`);

export const TemplateUses = graphql(`
  query TemplateUses($id: ID!) {
    templateUsedBy(id: $id) {
      more
      templates {
        templateId
        key
        versionId
        version
        usedVersion
      }
      projects {
        projectUuid
        name
        status
        usedVersion
      }
    }
  }
`);

/** The templates that can be the layout of another one. */
export const LayoutKeys = graphql(`
  query LayoutKeys($where: TemplateWhere) {
    templates(first: 100, where: $where) {
      nodes {
        uuid
        key
        name
        version
      }
    }
  }
`);

/** How many contacts are reached, and how many of them lack a field. */
export const CountLacking = graphql(`
  query CountLacking($all: ContactWhere, $lacking: ContactWhere) {
    all: contacts(first: 1, where: $all) {
      totalCount
    }
    lacking: contacts(first: 1, where: $lacking) {
      totalCount
    }
  }
`);
