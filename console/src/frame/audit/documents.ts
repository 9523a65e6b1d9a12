import { graphql } from "../../gql";

export const AuditRow = graphql(`
  fragment AuditRow on AuditEntry {
    uuid
    createdAt
    ownerId
    actorId
    actorEmail
    actorKind
    actor @include(if: $actors) {
      email
    }
    tokenId
    operation
    objectType
    objectId
    result
    code
    ip
    changes
  }
`);

export const AuditPage = graphql(`
  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere, $actors: Boolean!) {
    auditEntries(first: $first, after: $after, where: $where) {
      nodes {
        ...AuditRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The people who may have acted. An owner has at most 100 members. */
export const Actors = graphql(`
  query Actors {
    members(first: 100, where: { joined: { eq: true } }) {
      nodes {
        uuid
        userUuid
        email
      }
    }
  }
`);

export const NamesOfProjects = graphql(`
  query NamesOfProjects($first: Int!, $where: SendingProjectWhere) {
    sendingProjects(first: $first, where: $where) {
      nodes {
        uuid
        name
      }
    }
  }
`);
