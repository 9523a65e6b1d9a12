// What a dashboard has in one place: a list with more to come, and a card that is fetched again by its id.
// relay-compiler reads the documents; nothing runs this file, since the `graphql` tag needs Babel.
import { graphql } from 'relay-runtime';

export const overview = graphql`
  query overviewQuery($first: Int!) {
    me {
      id
      email
      accounts(first: 1) { nodes { ...overview_card } }
    }
    ...overview_messages @arguments(first: $first)
  }
`;

export const messages = graphql`
  fragment overview_messages on Query
  @argumentDefinitions(first: { type: "Int!" }, after: { type: "String" })
  @refetchable(queryName: "overviewMessagesPageQuery") {
    messages(first: $first, after: $after) @connection(key: "overview_messages") {
      edges {
        cursor
        node { id uuid to createdAt account { ...overview_card } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

// `@refetchable` on a type that implements Node asks `node(id:)`.
export const card = graphql`
  fragment overview_card on Account @refetchable(queryName: "overviewCardRefetchQuery") {
    id
    name
    balance
  }
`;

export const rename = graphql`
  mutation overviewRenameMutation($id: ID!, $input: AccountPatch!) {
    updateAccount(id: $id, input: $input) { ...overview_card }
  }
`;

export const changed = graphql`
  subscription overviewChangedSubscription {
    messengerAccountChanged { at account { id state } }
  }
`;
