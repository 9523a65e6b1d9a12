import { graphql } from "../../gql";

export const DomainPage = graphql(`
  query DomainPage($first: Int!, $after: String, $where: DomainWhere, $admin: Boolean!) {
    domains(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        name
        status
        checkedAt
        createdAt
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

export const OneDomain = graphql(`
  query OneDomain($id: ID!, $admin: Boolean!) {
    domain(id: $id) {
      uuid
      name
      status
      records {
        purpose
        name
        type
        value
        selector
        state
      }
      verifiedAt
      checkedAt
      lostAt
      problem
      createdAt
      owner @include(if: $admin) {
        uuid
        email
      }
    }
  }
`);

export const FindingFields = graphql(`
  fragment FindingFields on DomainFinding {
    topic
    state
    text
    recordName
    recordValue
  }
`);

export const DomainFindings = graphql(`
  query DomainFindings($id: ID!) {
    domainFindings(id: $id) {
      ...FindingFields
    }
  }
`);

export const DomainCheck = graphql(`
  query DomainCheck($domain: String!, $selector: String) {
    domainCheck(domain: $domain, selector: $selector) {
      ...FindingFields
    }
  }
`);

export const CreateDomain = graphql(`
  mutation CreateDomain($input: NewDomain!) {
    createDomain(input: $input) {
      uuid
    }
  }
`);

export const VerifyDomain = graphql(`
  mutation VerifyDomain($id: ID!) {
    verifyDomain(id: $id) {
      uuid
      status
    }
  }
`);

export const RotateDomainKey = graphql(`
  mutation RotateDomainKey($id: ID!) {
    rotateDomainKey(id: $id) {
      uuid
    }
  }
`);

export const DeleteDomain = graphql(`
  mutation DeleteDomain($id: ID!) {
    deleteDomain(id: $id)
  }
`);
