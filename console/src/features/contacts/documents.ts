import { graphql } from "../../gql";

export const ContactPage = graphql(`
  query ContactPage($first: Int!, $after: String, $where: ContactWhere, $orderBy: ContactOrder) {
    contacts(first: $first, after: $after, where: $where, orderBy: $orderBy) {
      nodes {
        uuid
        name
        externalId
        addresses {
          channel
          address
        }
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const ContactFields = graphql(`
  query ContactFields {
    contactFields(first: 100, orderBy: { direction: asc }) {
      nodes {
        uuid
        key
        type
        label
      }
    }
  }
`);

export const OneContact = graphql(`
  query OneContact($id: ID!) {
    contact(id: $id) {
      uuid
      name
      externalId
      locale
      timezone
      fields
      addresses {
        channel
        address
        primary
        verifiedAt
      }
      createdAt
      updatedAt
    }
  }
`);

export const ContactTimeline = graphql(`
  query ContactTimeline($id: ID!, $first: Int!, $after: String) {
    contactTimeline(contactId: $id, first: $first, after: $after) {
      nodes {
        uuid: objectUuid
        kind
        at
        channel
        address
        direction
        status
        text
        projectUuid
        accountUuid
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const FindContact = graphql(`
  query FindContact($address: String!) {
    contacts(first: 1, where: { address: { eq: $address } }) {
      nodes {
        uuid
        name
      }
    }
  }
`);

export const UpsertContact = graphql(`
  mutation UpsertContact($input: UpsertContact!) {
    upsertContact(input: $input) {
      uuid
    }
  }
`);

export const UpdateContact = graphql(`
  mutation UpdateContact($id: ID!, $input: ContactPatch!) {
    updateContact(id: $id, input: $input) {
      uuid
    }
  }
`);

export const MergeContacts = graphql(`
  mutation MergeContacts($id: ID!, $input: MergeContact!) {
    mergeContacts(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeleteContact = graphql(`
  mutation DeleteContact($id: ID!) {
    deleteContact(id: $id)
  }
`);

export const CreateContactField = graphql(`
  mutation CreateContactField($input: NewContactField!) {
    createContactField(input: $input) {
      uuid
    }
  }
`);
