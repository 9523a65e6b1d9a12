import { graphql } from "../../../gql";

/** What was sent to a person before, in any way, and the person's chats with other accounts. */
export const InboxPerson = graphql(`
  query InboxPerson(
    $address: String!
    $part: String!
    $first: Int!
    $messages: Boolean!
    $records: Boolean!
  ) {
    messages(first: $first, where: { to: { eq: $address } }) @include(if: $messages) {
      nodes {
        uuid
        channel
        body
        deliveryState
        createdAt
      }
    }
    messageRecords(first: $first, where: { to: { eq: $address } }) @include(if: $records) {
      nodes {
        uuid
        channel
        body
        status
        queuedAt
        sendingProject {
          uuid
          name
        }
      }
    }
    messengerChats(first: 20, where: { text: { contains: $part } }) {
      nodes {
        ...InboxChat
        account {
          uuid
          name
          login
          source
        }
      }
    }
  }
`);
