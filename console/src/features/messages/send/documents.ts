import { graphql } from "../../../gql";

export const SendMessage = graphql(`
  mutation SendMessage($input: SendMessage!) {
    sendMessage(input: $input) {
      ...DirectRow
      segments
    }
  }
`);

export const MessengerSources = graphql(`
  query MessengerSources($where: MessengerAccountWhere) {
    messengerAccounts(first: 100, where: $where) {
      nodes {
        uuid
        source
        name
        login
        state
      }
    }
  }
`);

export const Segments = graphql(`
  query Segments($variables: JSON!) {
    previewMessage(input: { channel: sms, text: "{{ body }}", variables: $variables }) {
      segments
      characters
      encoding
    }
  }
`);
