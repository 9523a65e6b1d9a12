/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n": typeof types.DirectRowFragmentDoc,
    "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n": typeof types.RecordRowFragmentDoc,
    "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.DirectPageDocument,
    "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.RecordPageDocument,
    "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": typeof types.DirectTotalDocument,
    "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": typeof types.RecordTotalDocument,
    "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n": typeof types.DirectChangedDocument,
    "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n": typeof types.RecordsMovedDocument,
    "\n  query Choices {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff {\n      code\n      channels\n      prices\n    }\n  }\n": typeof types.ChoicesDocument,
    "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n": typeof types.SendMessageDocument,
    "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n": typeof types.SegmentsDocument,
    "\n  query OneMessage($id: ID!, $admin: Boolean!) {\n    message(id: $id) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) {\n      ...RecordRow\n      attempts\n      variant\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      sourceAccount {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": typeof types.OneMessageDocument,
    "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n": typeof types.OneChangedDocument,
    "\n  query Ledger($account: ID!, $from: DateTime!, $to: DateTime!) {\n    account(id: $account) {\n      uuid\n      ledger(first: 100, where: { createdAt: { gte: $from, lte: $to } }, orderBy: { direction: asc }) {\n        nodes {\n          uuid\n          kind\n          amount\n          reference\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n": typeof types.LedgerDocument,
    "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!) {\n    statisticsGeneral(kind: all, interval: $interval, dateFrom: $from, timezone: $timezone) {\n      items {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n": typeof types.TrafficDocument,
    "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n": typeof types.QueueDocument,
    "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n": typeof types.QueueChangedDocument,
    "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n": typeof types.QueueFieldsFragmentDoc,
    "\n  query Attention($admin: Boolean!) {\n    me {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          uuid\n          name\n          plan\n          balance\n          currency\n          lowBalance\n        }\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n": typeof types.AttentionDocument,
    "\n  query Newcomer {\n    messages(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n    sendingProjects(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n  }\n": typeof types.NewcomerDocument,
    "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n": typeof types.DirectSignalDocument,
    "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n": typeof types.ProjectSignalDocument,
    "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n": typeof types.ChangePasswordDocument,
    "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n": typeof types.SaveProfileDocument,
    "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n  }\n": typeof types.ViewerDocument,
    "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n": typeof types.LogoutEverywhereDocument,
};
const documents: Documents = {
    "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n": types.DirectRowFragmentDoc,
    "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n": types.RecordRowFragmentDoc,
    "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.DirectPageDocument,
    "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.RecordPageDocument,
    "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": types.DirectTotalDocument,
    "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": types.RecordTotalDocument,
    "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n": types.DirectChangedDocument,
    "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n": types.RecordsMovedDocument,
    "\n  query Choices {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff {\n      code\n      channels\n      prices\n    }\n  }\n": types.ChoicesDocument,
    "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n": types.SendMessageDocument,
    "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n": types.SegmentsDocument,
    "\n  query OneMessage($id: ID!, $admin: Boolean!) {\n    message(id: $id) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) {\n      ...RecordRow\n      attempts\n      variant\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      sourceAccount {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": types.OneMessageDocument,
    "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n": types.OneChangedDocument,
    "\n  query Ledger($account: ID!, $from: DateTime!, $to: DateTime!) {\n    account(id: $account) {\n      uuid\n      ledger(first: 100, where: { createdAt: { gte: $from, lte: $to } }, orderBy: { direction: asc }) {\n        nodes {\n          uuid\n          kind\n          amount\n          reference\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n": types.LedgerDocument,
    "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!) {\n    statisticsGeneral(kind: all, interval: $interval, dateFrom: $from, timezone: $timezone) {\n      items {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n": types.TrafficDocument,
    "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n": types.QueueDocument,
    "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n": types.QueueChangedDocument,
    "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n": types.QueueFieldsFragmentDoc,
    "\n  query Attention($admin: Boolean!) {\n    me {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          uuid\n          name\n          plan\n          balance\n          currency\n          lowBalance\n        }\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n": types.AttentionDocument,
    "\n  query Newcomer {\n    messages(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n    sendingProjects(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n  }\n": types.NewcomerDocument,
    "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n": types.DirectSignalDocument,
    "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n": types.ProjectSignalDocument,
    "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n": types.ChangePasswordDocument,
    "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n": types.SaveProfileDocument,
    "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n  }\n": types.ViewerDocument,
    "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n": types.LogoutEverywhereDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n"): (typeof documents)["\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n"): (typeof documents)["\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n"): (typeof documents)["\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Choices {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff {\n      code\n      channels\n      prices\n    }\n  }\n"): (typeof documents)["\n  query Choices {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff {\n      code\n      channels\n      prices\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n"): (typeof documents)["\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n"): (typeof documents)["\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneMessage($id: ID!, $admin: Boolean!) {\n    message(id: $id) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) {\n      ...RecordRow\n      attempts\n      variant\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      sourceAccount {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneMessage($id: ID!, $admin: Boolean!) {\n    message(id: $id) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) {\n      ...RecordRow\n      attempts\n      variant\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      sourceAccount {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n"): (typeof documents)["\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Ledger($account: ID!, $from: DateTime!, $to: DateTime!) {\n    account(id: $account) {\n      uuid\n      ledger(first: 100, where: { createdAt: { gte: $from, lte: $to } }, orderBy: { direction: asc }) {\n        nodes {\n          uuid\n          kind\n          amount\n          reference\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Ledger($account: ID!, $from: DateTime!, $to: DateTime!) {\n    account(id: $account) {\n      uuid\n      ledger(first: 100, where: { createdAt: { gte: $from, lte: $to } }, orderBy: { direction: asc }) {\n        nodes {\n          uuid\n          kind\n          amount\n          reference\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!) {\n    statisticsGeneral(kind: all, interval: $interval, dateFrom: $from, timezone: $timezone) {\n      items {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n"): (typeof documents)["\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!) {\n    statisticsGeneral(kind: all, interval: $interval, dateFrom: $from, timezone: $timezone) {\n      items {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n"): (typeof documents)["\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n"): (typeof documents)["\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n"): (typeof documents)["\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Attention($admin: Boolean!) {\n    me {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          uuid\n          name\n          plan\n          balance\n          currency\n          lowBalance\n        }\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n"): (typeof documents)["\n  query Attention($admin: Boolean!) {\n    me {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          uuid\n          name\n          plan\n          balance\n          currency\n          lowBalance\n        }\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Newcomer {\n    messages(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n    sendingProjects(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n  }\n"): (typeof documents)["\n  query Newcomer {\n    messages(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n    sendingProjects(first: 1) {\n      nodes {\n        uuid\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n"): (typeof documents)["\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n"): (typeof documents)["\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n  }\n"): (typeof documents)["\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n"): (typeof documents)["\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;