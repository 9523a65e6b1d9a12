import { graphql } from "../../../gql";

export const InboxHits = graphql(`
  query InboxHits($text: String!, $account: ID, $after: String) {
    messengerMessageSearch(text: $text, accountId: $account, first: 20, after: $after) {
      nodes {
        uuid
        text
        at
        outgoing
        name
        account {
          uuid
        }
        chat {
          uuid
          name
          phone
          username
          thread
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
