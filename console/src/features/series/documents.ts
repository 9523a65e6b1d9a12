import { graphql } from "../../gql";

export const SeriesRow = graphql(`
  fragment SeriesRow on Series {
    uuid
    name
    status
    statusReason
    category
    topicId
    segmentId
    existing
    stopOnReply
    stopOnLeave
    maxEntries
    startedAt
    createdAt
    topic {
      uuid
      name
    }
    steps {
      channel
      templateKey
      templateVersion
      templateLocale
      localeFrom
      delay
      after
      from
      sender
      accountUuids
    }
  }
`);

export const SeriesPage = graphql(`
  query SeriesPage($first: Int!, $after: String, $where: SeriesWhere) {
    seriesList(first: $first, after: $after, where: $where) {
      nodes {
        ...SeriesRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const OneSeries = graphql(`
  query OneSeries($id: ID!) {
    series(id: $id) {
      ...SeriesRow
    }
    seriesStatistics(id: $id) {
      entered
      waiting
      finished
      stopped
      excluded
      stopReasons {
        reason
        count
      }
      steps {
        number
        projectUuid
        begun
        waiting
        stopped
        withoutMessage
        sent
        delivered
        bounced
        replied
        failed
        skipped
        queued
      }
    }
  }
`);

export const PlanOfSeries = graphql(`
  query PlanOfSeries($id: ID!) {
    seriesPlan(id: $id) {
      hash
      membersNow
      entersNow
      currency
      pricePerPerson
      costNow
      steps {
        number
        channel
        templateKey
        subject
        text
        locales
        files
        price
      }
    }
  }
`);

export const SeriesTemplates = graphql(`
  query SeriesTemplates($after: String, $where: TemplateWhere) {
    templates(first: 100, after: $after, where: $where) {
      nodes {
        uuid
        key
        name
        version
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const CreateSeries = graphql(`
  mutation CreateSeries($input: NewSeries!) {
    createSeries(input: $input) {
      uuid
    }
  }
`);

export const UpdateSeries = graphql(`
  mutation UpdateSeries($id: ID!, $input: SeriesPatch!) {
    updateSeries(id: $id, input: $input) {
      uuid
    }
  }
`);

export const StartSeries = graphql(`
  mutation StartSeries($id: ID!, $input: StartSeries!) {
    startSeries(id: $id, input: $input) {
      uuid
    }
  }
`);

export const PauseSeries = graphql(`
  mutation PauseSeries($id: ID!) {
    pauseSeries(id: $id) {
      uuid
    }
  }
`);

export const ArchiveSeries = graphql(`
  mutation ArchiveSeries($id: ID!) {
    archiveSeries(id: $id) {
      uuid
    }
  }
`);
