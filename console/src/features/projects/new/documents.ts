import { graphql } from "../../../gql";

/** Everything that the steps of a project need beside its recipients. */
export const DraftProject = graphql(`
  query DraftProject($id: ID!) {
    sendingProject(id: $id) {
      ...ProjectSettings
      recipientsPending
      recipientsError
      recipients(first: 50) {
        totalCount
        nodes {
          uuid
          address
          name
          variables
        }
      }
    }
  }
`);

/** What a project that follows this one needs to know of it. */
export const FollowedProject = graphql(`
  query FollowedProject($id: ID!) {
    sendingProject(id: $id) {
      uuid
      name
      channel
      category
      accountId
      audience {
        topicUuids
      }
    }
  }
`);

/** Recipients whose values the messages of a project that follows this one may have: those not reached, and the first. */
export const FollowedRecipients = graphql(`
  query FollowedRecipients($id: ID!, $missed: MessageRecordWhere) {
    missed: messageRecords(first: 20, where: $missed) {
      nodes {
        recipient {
          uuid
          address
          name
          variables
        }
      }
    }
    sendingProject(id: $id) {
      uuid
      recipients(first: 50) {
        nodes {
          uuid
          address
          name
          variables
        }
      }
    }
  }
`);

/** What a project may use: who pays and who sends, prices and limits. */
export const ProjectChoices = graphql(`
  query ProjectChoices($messengers: Boolean!) {
    accounts(first: 100) {
      nodes {
        uuid
        name
        currency
        balance
      }
    }
    sourceAccounts(first: 100) {
      nodes {
        uuid
        source
        name
        login
        status
        messengerAccount @include(if: $messengers) {
          driver
        }
      }
    }
    tariff {
      channels
      prices
      maxRecipientsPerProject
      messagesPerDay
      messagesPerMinute
      used {
        messagesToday
      }
    }
  }
`);

export const CreateProject = graphql(`
  mutation CreateProject($input: NewSendingProject!) {
    createSendingProject(input: $input) {
      ...ProjectSettings
    }
  }
`);

export const UpdateProject = graphql(`
  mutation UpdateProject($id: ID!, $input: SendingProjectPatch!) {
    updateSendingProject(id: $id, input: $input) {
      ...ProjectSettings
    }
  }
`);

export const PreviewList = graphql(`
  query PreviewList($input: NewImport!) {
    previewImport(input: $input) {
      format
      delimiter
      encoding
      header
      headerRow
      columns {
        name
        samples
      }
      mapping
    }
  }
`);

export const ImportList = graphql(`
  mutation ImportList($input: NewImport!) {
    importRecipients(input: $input) {
      uuid
    }
  }
`);

export const ImportText = graphql(`
  mutation ImportText($input: NewTextImport!) {
    importRecipientsFromText(input: $input) {
      uuid
    }
  }
`);

export const EarlierImports = graphql(`
  query EarlierImports {
    recipientImports(first: 20, where: { status: { eq: ready } }) {
      nodes {
        uuid
        fileName
        valid
        createdAt
      }
    }
  }
`);

export const AddList = graphql(`
  mutation AddList($project: ID!, $list: UUID!) {
    addRecipients(sendingProjectId: $project, input: { importUuid: $list }) {
      added
      duplicates
      invalidCount
      invalid {
        place
        message
      }
      pending
    }
  }
`);

export const PreviewText = graphql(`
  query PreviewText($input: PreviewMessage!) {
    previewMessage(input: $input) {
      subject
      body
      html
      variables
      missing
      characters
      segments
      encoding
    }
  }
`);

export const SendTrial = graphql(`
  mutation SendTrial($input: SendTest!) {
    sendTestMessage(input: $input) {
      messageId
      status
      error {
        code
        message
      }
    }
  }
`);

export const Timezones = graphql(`
  query Timezones {
    timezones
  }
`);

/** What will happen to recipients whose messages have not been sent; with other settings, before they are saved. */
export const ProjectPlan = graphql(`
  query ProjectPlan($id: ID!, $changes: PlannedChanges) {
    sendingProjectPlan(id: $id, changes: $changes) {
      recipients
      toSend
      exact
      examined
      skipped {
        code
        count
      }
      missing {
        name
        count
      }
      cost {
        currency
        price
        amount
        atMost
        byCountry {
          country
          messages
          amount
        }
        parts
      }
      perMinute
      limitedBy
      leftToday
      lacksPublicUrl
      beginsAt
      endsAt
    }
  }
`);

export const FindRecipients = graphql(`
  query FindRecipients($id: ID!, $text: String!) {
    recipients(sendingProjectId: $id, first: 5, where: { text: { contains: $text } }) {
      totalCount
      nodes {
        uuid
        address
        name
      }
    }
  }
`);

export const RemoveRecipients = graphql(`
  mutation RemoveRecipients($id: ID!, $input: RemoveRecipients!) {
    removeRecipients(sendingProjectId: $id, input: $input) {
      removed
      withMessage
      more
    }
  }
`);

export const WriteTexts = graphql(`
  mutation WriteTexts($input: GenerateText!) {
    generateText(input: $input) {
      texts
      model
      usage {
        totalTokens
      }
    }
  }
`);

/** The last tests of a channel. */
export const EarlierTrials = graphql(`
  query EarlierTrials($channel: ProjectChannel!) {
    trialMessages(first: 5, where: { channel: { eq: $channel } }) {
      nodes {
        uuid
        to
        deliveryState
        failureReason
        createdAt
      }
    }
  }
`);
