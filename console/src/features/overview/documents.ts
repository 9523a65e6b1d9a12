import { graphql } from "../../gql";

export const Traffic = graphql(`
  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!, $channel: ProjectChannel) {
    statisticsGeneral(
      kind: all
      interval: $interval
      dateFrom: $from
      timezone: $timezone
      channel: $channel
    ) {
      items {
        from
        sent
        delivered
        failed
        unknown
      }
    }
    statisticsByChannel(kind: all, interval: $interval, dateFrom: $from, timezone: $timezone) {
      channel
      sent
      delivered
      failed
      unknown
    }
    direct: deliveryStatusCounts(kind: direct) {
      statuses
    }
    project: deliveryStatusCounts(kind: project) {
      statuses
    }
  }
`);

export const Attention = graphql(`
  query Attention($admin: Boolean!) {
    me {
      uuid
      accounts(first: 50) {
        nodes {
          uuid
          name
          plan
          balance
          currency
          lowBalance
        }
      }
    }
    sendingProjects(first: 20, where: { status: { in: [paused] } }) {
      nodes {
        uuid
        name
        statusReason
        resumeAt
      }
    }
    processingHealth {
      projects {
        uuid
        stuck
        lastProgressAt
        project {
          uuid
          name
        }
      }
    }
    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } }) {
      nodes {
        uuid
        login
        name
        source
        state
        reason
      }
    }
    webhooks(first: 20) {
      nodes {
        uuid
        url
        enabled
        disabledReason
        failures
        lastError
        missed
        dead
      }
    }
    eventFeed {
      recording
      nearlyFull
      count
      limit
    }
    tariff {
      code
      messagesPerDay
      used {
        messagesToday
        resetsAt
      }
    }
    readiness @include(if: $admin) {
      status
      error
    }
  }
`);

/** Loaded after everything else, because the checks take seconds. */
export const DoctorFindings = graphql(`
  query DoctorFindings {
    doctor {
      findings {
        severity
        topic
        text
        advice
      }
    }
  }
`);

export const Newcomer = graphql(`
  query Newcomer {
    messages(first: 1) {
      nodes {
        uuid
      }
    }
    sendingProjects(first: 1) {
      nodes {
        uuid
      }
    }
  }
`);

/** Tells only that numbers have changed; they are then loaded again. */
export const DirectSignal = graphql(`
  subscription DirectSignal {
    messageStatusChanged {
      uuid
    }
  }
`);

export const ProjectSignal = graphql(`
  subscription ProjectSignal {
    sendingProjectProgress {
      uuid
      status
    }
  }
`);
