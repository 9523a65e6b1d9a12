import { graphql } from "../../gql";

// An owner has at most 100.
export const SenderDomains = graphql(`
  query SenderDomains($where: DomainWhere!, $senders: SenderWhere!) {
    domains(first: 100, where: $where) {
      nodes {
        name
        status
      }
    }
    senders(first: 100, where: $senders) {
      nodes {
        value
      }
    }
  }
`);

export const ApprovedSenders = graphql(`
  query ApprovedSenders($where: SenderWhere!) {
    senders(first: 100, where: $where) {
      nodes {
        value
      }
    }
  }
`);

/** The sender that a message would have. */
export const SenderChoice = graphql(`
  query SenderChoice($to: String!, $sender: String) {
    senderChoice(to: $to, sender: $sender) {
      sender
      kind
      country
      why
    }
  }
`);
