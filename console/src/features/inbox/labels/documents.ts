import { graphql } from "../../../gql";

export const InboxLabel = graphql(`
  fragment InboxLabel on ChatLabel {
    uuid
    name
    color
  }
`);

export const InboxLabels = graphql(`
  query InboxLabels {
    chatLabels {
      ...InboxLabel
    }
  }
`);

export const InboxNewLabel = graphql(`
  mutation InboxNewLabel($input: NewChatLabel!) {
    createChatLabel(input: $input) {
      ...InboxLabel
    }
  }
`);

export const InboxChangeLabel = graphql(`
  mutation InboxChangeLabel($id: ID!, $input: ChatLabelPatch!) {
    updateChatLabel(id: $id, input: $input) {
      ...InboxLabel
    }
  }
`);

export const InboxDeleteLabel = graphql(`
  mutation InboxDeleteLabel($id: ID!) {
    deleteChatLabel(id: $id)
  }
`);

export const InboxSetLabels = graphql(`
  mutation InboxSetLabels($id: ID!, $labels: [ID!]!) {
    setMessengerChatLabels(id: $id, labels: $labels) {
      ...InboxChat
    }
  }
`);
