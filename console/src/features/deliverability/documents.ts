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

export const Receivers = graphql(`
  query Receivers {
    receiverPauses {
      uuid
      domain
      providerClass
      until
      answer
    }
    receiverRules {
      uuid
      domain
      providerClass
      inFlight
      perMinute
      warmUp
      warmUpFrom
      pauses
      allowance
      used {
        providerClass
        used
      }
    }
  }
`);

export const SetReceiverRule = graphql(`
  mutation SetReceiverRule($input: ReceiverRuleInput!) {
    setReceiverRule(input: $input) {
      uuid
    }
  }
`);

export const DeleteReceiverRule = graphql(`
  mutation DeleteReceiverRule($uuid: UUID!) {
    deleteReceiverRule(uuid: $uuid)
  }
`);

export const LiftReceiverPause = graphql(`
  mutation LiftReceiverPause($uuid: UUID!) {
    liftReceiverPause(uuid: $uuid)
  }
`);
