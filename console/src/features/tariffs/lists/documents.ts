import { graphql } from "../../../gql";

export const PriceListRow = graphql(`
  fragment PriceListRow on PriceList {
    uuid
    name
    currency
    strict
    current {
      number
      size
      validFrom
    }
  }
`);

export const PriceListPageQuery = graphql(`
  query PriceListPage($first: Int!, $after: String) {
    priceLists(first: $first, after: $after) {
      nodes {
        ...PriceListRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const OnePriceList = graphql(`
  query OnePriceList($id: ID!) {
    priceList(id: $id) {
      ...PriceListRow
      versions(first: 50) {
        nodes {
          number
          size
          validFrom
        }
      }
    }
  }
`);

export const PricesOfList = graphql(`
  query PricesOfList($id: ID!, $begins: String!, $version: Int, $first: Int!) {
    prices(listId: $id, begins: $begins, version: $version, first: $first) {
      nodes {
        channel
        prefix
        country
        price
        cost
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

export const CreatePriceList = graphql(`
  mutation CreatePriceList($input: NewPriceList!) {
    createPriceList(input: $input) {
      uuid
    }
  }
`);

export const UpdatePriceList = graphql(`
  mutation UpdatePriceList($id: ID!, $input: PriceListPatch!) {
    updatePriceList(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeletePriceList = graphql(`
  mutation DeletePriceList($id: ID!) {
    deletePriceList(id: $id)
  }
`);

export const AddPriceListVersion = graphql(`
  mutation AddPriceListVersion($id: ID!, $input: NewPriceListVersion!) {
    addPriceListVersion(id: $id, input: $input) {
      number
      size
      validFrom
    }
  }
`);

export const DeletePriceListVersion = graphql(`
  mutation DeletePriceListVersion($id: ID!, $number: Int!) {
    deletePriceListVersion(id: $id, number: $number)
  }
`);
