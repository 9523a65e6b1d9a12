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
    direct: deliveryStatusCounts(kind: direct) {
      statuses
    }
    project: deliveryStatusCounts(kind: project) {
      statuses
    }
  }
`);

export const AttentionAccount = graphql(`
  fragment AttentionAccount on Account {
    uuid
    name
    plan
    balance
    currency
    lowBalance
  }
`);

export const Attention = graphql(`
  query Attention(
    $admin: Boolean!
    $own: Boolean!
    $accounts: Boolean!
    $projects: Boolean!
    $approve: Boolean!
    $messengers: Boolean!
    $events: Boolean!
    $tariff: Boolean!
  ) {
    me @include(if: $own) {
      uuid
      accounts(first: 50) {
        nodes {
          ...AttentionAccount
        }
      }
    }
    accounts(first: 50) @include(if: $accounts) {
      nodes {
        ...AttentionAccount
      }
    }
    sendingProjects(first: 20, where: { status: { in: [paused] } }) @include(if: $projects) {
      nodes {
        uuid
        name
        statusReason
        resumeAt
      }
    }
    approvals(first: 1, where: { state: { eq: asked } }) @include(if: $approve) {
      nodes {
        uuid
      }
      totalCount
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
    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } })
      @include(if: $messengers) {
      nodes {
        uuid
        login
        name
        source
        state
        reason
      }
    }
    webhooks(first: 20) @include(if: $messengers) {
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
    eventFeed @include(if: $events) {
      recording
      nearlyFull
      count
      limit
    }
    tariff @include(if: $tariff) {
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

/** How the messages have ended that were created since a time. */
export const Outcomes = graphql(`
  query Outcomes($from: DateTime!) {
    statisticsOutcomes(dateFrom: $from) {
      from
      countedSince
      items {
        kind
        channel
        total
        queued
        sending
        sent
        delivered
        read
        failed
        skipped
        unknown
        canceled
      }
    }
  }
`);

export const FailedMessages = graphql(`
  query FailedMessages($direct: MessageWhere, $project: MessageRecordWhere) {
    messages(first: 100, where: $direct) {
      nodes {
        uuid
        failureCode
      }
      pageInfo {
        hasNextPage
      }
    }
    messageRecords(first: 100, where: $project) {
      nodes {
        uuid
        failureCode
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

export const CauseTotals = graphql(`
  query CauseTotals($direct: MessageWhere, $project: MessageRecordWhere) {
    messages(first: 1, where: $direct) {
      totalCount
    }
    messageRecords(first: 1, where: $project) {
      totalCount
    }
  }
`);

/** The projects that go on by themselves, or wait for something. */
export const Active = graphql(`
  query Active {
    sendingProjects(first: 6, where: { status: { in: [running, paused, scheduled] } }) {
      nodes {
        uuid
        name
        status
        statusReason
        startAt
        counts {
          total
          sent
          delivered
          read
          failed
          skipped
          unknown
          canceled
        }
        progress {
          total
          done
          percent
          perMinute
          endsAt
        }
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
