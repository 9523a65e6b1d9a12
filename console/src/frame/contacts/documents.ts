import { graphql } from "../../gql";

/** A contact whose values a text can have, and whom a message can reach. */
export const Person = graphql(`
  fragment Person on Contact {
    uuid
    name
    externalId
    locale
    fields
    addresses {
      channel
      address
      primary
    }
  }
`);

export const FindPeople = graphql(`
  query FindPeople($first: Int!, $where: ContactWhere) {
    contacts(first: $first, where: $where) {
      nodes {
        ...Person
      }
    }
  }
`);

/** How many contacts meet conditions, and the newest of them. */
export const PeopleOf = graphql(`
  query PeopleOf($input: PreviewSegment!) {
    segmentPreview(input: $input) {
      size
      sample {
        ...Person
      }
    }
  }
`);

export const FilterOfSegment = graphql(`
  query FilterOfSegment($id: ID!) {
    segment(id: $id) {
      uuid
      name
      filter
    }
  }
`);

export const FieldKeys = graphql(`
  query FieldKeys {
    contactFields(first: 100, orderBy: { direction: asc }) {
      nodes {
        uuid
        key
        label
      }
    }
  }
`);
