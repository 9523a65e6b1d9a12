import { graphql } from "../../gql";

export const DoctorReport = graphql(`
  query DoctorReport($fresh: Boolean!) {
    doctor(fresh: $fresh) {
      version
      python
      embedded
      examinedAt
      leftOut
      findings {
        severity
        topic
        text
        advice
      }
    }
  }
`);

export const Sending = graphql(`
  query Sending {
    systemRoutes {
      name
      driver
      label
      state
      since
      probeAt
      concurrency
      totalConcurrency
      enabled
    }
    queueStatistics {
      background {
        kind
        waiting
        atWork
        users
      }
    }
    processingHealth {
      status
      projects {
        uuid
        status
        stuck
        lastProgressAt
        workers
        project {
          uuid
          name
        }
      }
    }
  }
`);

export const AllowlistInUse = graphql(`
  query AllowlistInUse {
    ipAllowlist {
      mode
      file
      entries
      networks
      everyone
      loadedAt
      error
      yourAddress
      yourReason
    }
  }
`);

export const AllowlistLines = graphql(`
  query AllowlistLines {
    ipAllowlistLines {
      at
      address
      method
      path
      reason
      blocked
      listed
    }
  }
`);

export const ParseMailReport = graphql(`
  query ParseMailReport($input: ParseMailReport!) {
    parseMailReport(input: $input) {
      ignored
      token
      ours
      message {
        messageUuid
        to
        state
      }
      recipients {
        type
        bounceClass
        address
        status
        code
        diagnostic
      }
      effect {
        outcome
        failureCode
        block
      }
    }
  }
`);

export const PurposesFields = graphql(`
  fragment PurposesFields on Purposes {
    purposes
    billing
    billingSince
    purposesBySetting
    billingBySetting
    changedAt
    modules {
      name
      on
      goingOn
    }
  }
`);

export const Purposes = graphql(`
  query Purposes {
    purposes {
      ...PurposesFields
    }
  }
`);

export const SetPurposes = graphql(`
  mutation SetPurposes($input: PurposesPatch!) {
    setPurposes(input: $input) {
      ...PurposesFields
    }
  }
`);
