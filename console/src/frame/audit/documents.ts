import { graphql } from "../../gql";

export const AuditRow = graphql(`
  fragment AuditRow on AuditEntry {
    uuid
    createdAt
    actorId
    actorKind
    actor {
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
  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere) {
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
