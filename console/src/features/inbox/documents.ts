import { graphql } from "../../gql";

export const InboxAccount = graphql(`
  fragment InboxAccount on MessengerAccount {
    uuid
    source
    login
    name
    driver
    state
    next
  }
`);

export const InboxChat = graphql(`
  fragment InboxChat on MessengerChat {
    uuid
    accountId
    thread
    kind
    name
    phone
    username
    unread
    lastAt
    lastIncomingAt
    closedAt
    labels {
      ...InboxLabel
    }
  }
`);

export const InboxMessage = graphql(`
  fragment InboxMessage on MessengerMessage {
    uuid
    from
    name
    at
    editedAt
    deletedAt
    text
    outgoing
    replyTo
    content {
      type
      src
      filename
      mime
      size
    }
    reactions {
      from
      emoji
    }
    status
    failureCode
    failureReason
  }
`);

export const InboxNote = graphql(`
  fragment InboxNote on ChatNote {
    uuid
    text
    createdAt
    authorId
    author @include(if: $authors) {
      displayName
      email
    }
  }
`);

export const InboxNotes = graphql(`
  query InboxNotes($chat: ID!, $first: Int!, $authors: Boolean!) {
    messengerChat(id: $chat) {
      uuid
      notes(first: $first) {
        nodes {
          ...InboxNote
        }
      }
    }
  }
`);

export const InboxNewNote = graphql(`
  mutation InboxNewNote($chat: ID!, $text: String!, $authors: Boolean!) {
    createChatNote(chatId: $chat, input: { text: $text }) {
      ...InboxNote
    }
  }
`);

export const InboxDeleteNote = graphql(`
  mutation InboxDeleteNote($id: ID!) {
    deleteChatNote(id: $id)
  }
`);

export const InboxClose = graphql(`
  mutation InboxClose($id: ID!, $upTo: ID) {
    closeMessengerChat(id: $id, upTo: $upTo) {
      ...InboxChat
    }
  }
`);

export const InboxReopen = graphql(`
  mutation InboxReopen($id: ID!) {
    reopenMessengerChat(id: $id) {
      ...InboxChat
    }
  }
`);

export const InboxAccounts = graphql(`
  query InboxAccounts {
    messengerAccounts(first: 100) {
      nodes {
        ...InboxAccount
      }
    }
  }
`);

export const InboxPageOfChats = graphql(`
  query InboxPageOfChats($first: Int!, $after: String, $account: ID, $where: MessengerChatWhere) {
    messengerChats(first: $first, after: $after, accountId: $account, where: $where) {
      nodes {
        ...InboxChat
        messages(first: 1) {
          nodes {
            ...InboxMessage
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const InboxConversation = graphql(`
  query InboxConversation($id: ID!, $first: Int!) {
    messengerChat(id: $id) {
      ...InboxChat
      messages(first: $first) {
        nodes {
          ...InboxMessage
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const InboxOlder = graphql(`
  query InboxOlder($account: ID!, $thread: String!, $first: Int!, $after: String) {
    messengerMessages(accountId: $account, thread: $thread, first: $first, after: $after) {
      nodes {
        ...InboxMessage
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** Asks the messenger for the chat with a person of whom no chat is stored. */
export const InboxChatWith = graphql(`
  query InboxChatWith($account: ID!, $to: String!) {
    messengerMessages(accountId: $account, to: $to, first: 1) {
      nodes {
        uuid
        chat {
          uuid
        }
      }
    }
  }
`);

export const InboxQuoted = graphql(`
  query InboxQuoted($item: ID!, $account: ID!) {
    messengerMessage(item: $item, accountId: $account) {
      ...InboxMessage
    }
  }
`);

export const InboxSend = graphql(`
  mutation InboxSend($account: ID!, $input: NewMessengerMessage!) {
    sendMessengerMessage(accountId: $account, input: $input) {
      ...InboxMessage
      chat {
        ...InboxChat
      }
    }
  }
`);

export const InboxRead = graphql(`
  mutation InboxRead($id: ID!, $upTo: ID) {
    readMessengerChat(id: $id, upTo: $upTo) {
      uuid
      unread
    }
  }
`);

export const InboxTyping = graphql(`
  mutation InboxTyping($account: ID!, $input: MessengerPresence!) {
    sendMessengerTyping(accountId: $account, input: $input)
  }
`);

export const InboxNotTyping = graphql(`
  mutation InboxNotTyping($account: ID!, $to: String!) {
    resetMessengerTyping(accountId: $account, to: $to)
  }
`);

export const InboxForgetFile = graphql(`
  mutation InboxForgetFile($id: ID!) {
    deleteFile(id: $id)
  }
`);

export const InboxChanged = graphql(`
  subscription InboxChanged($account: ID) {
    messengerMessageChanged(accountId: $account) {
      ...InboxMessage
      chat {
        ...InboxChat
      }
    }
  }
`);

export const InboxAccountChanged = graphql(`
  subscription InboxAccountChanged {
    messengerAccountChanged {
      account {
        uuid
        state
      }
    }
  }
`);
