import { graphql } from "../../gql";

export const DeliverabilityByProvider = graphql(`
  query DeliverabilityByProvider($from: DateTime!) {
    deliverability(dateFrom: $from) {
      degraded {
        providerClass
        accepted
        policy
        complaints
        createdAt
      }
      items {
        providerClass
        accepted
        deferred
        bounced
        hard
        mailboxFull
        content
        policy
        soft
        complaints
        rescued
        bounceRate
        complaintRate
        complaintLevel
      }
    }
    deliverabilityByProject(dateFrom: $from) {
      items {
        sendingProjectUuid
        name
        from
        accepted
        bounced
        complaints
        bounceRate
        complaintRate
        complaintLevel
      }
    }
  }
`);
