/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** State of a messenger account's connection; docs/states.md shows the transitions. */
export type AccountState =
  /** the messenger has blocked the account */
  | 'blocked'
  /** failed; it stays so until it is started again */
  | 'failed'
  /** the messenger has ended the session */
  | 'loggedOut'
  /** the connection was lost and is being restored */
  | 'reconnecting'
  /** waits until the pairing code is entered on the phone */
  | 'showCode'
  /** a worker has taken the account over and connects it */
  | 'starting'
  /** switched off, or not started yet */
  | 'stopped'
  /** logged in, and synchronising with the messenger */
  | 'syncing'
  /** waits for the login code that the messenger has sent */
  | 'waitCode'
  /** waits for the account's cloud password */
  | 'waitPassword'
  /** waits for the account's phone number */
  | 'waitPhone'
  /** waits until the QR code is scanned */
  | 'waitQr'
  /** connected; messages are sent and received */
  | 'working';

/** Changes the password of the calling user. */
export type ChangePassword = {
  /** the current password */
  currentPassword: string;
  /** password: any characters; longer is stronger */
  newPassword: string;
};

/** Exact delivery state of a message; docs/states.md describes all transitions. */
export type DeliveryState =
  /** reserved; not used in this version */
  | 'canceled'
  /** delivered to the recipient */
  | 'delivered'
  /** not delivered, for certain */
  | 'failed'
  /** waiting to be sent */
  | 'queued'
  /** being sent: the provider may already have accepted it */
  | 'sending'
  /** accepted by the provider */
  | 'sent'
  /** sent, but the provider did not confirm it; it is not sent again automatically */
  | 'unknown';

/** Direction of a message. */
export type Direction =
  /** received from the other side */
  | 'inbound'
  /** sent to the other side */
  | 'outbound';

/** Filter by included or excluded values. */
export type DirectionFilter = {
  /** equal to this value */
  eq?: Direction | null | undefined;
  /** equal to one of these values */
  in?: Array<Direction> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<Direction> | null | undefined;
};

/** Why a balance changed. */
export type EntryKind =
  /** the price of a message */
  | 'charge'
  /** money added by an administrator */
  | 'credit'
  /** the refund of a failed message's price */
  | 'refund';

/** Filter by ids: either the global `id` or the `uuid` that REST uses. */
export type IdFilter = {
  /** equal to this id */
  eq?: string | null | undefined;
  /** equal to one of these values */
  in?: Array<string> | null | undefined;
};

/** Length of an interval of statistics, in the calendar of the time zone. */
export type Interval =
  /** one day */
  | 'day'
  /** one hour */
  | 'hour'
  /** one month */
  | 'month'
  /** one week, starting on Monday */
  | 'week';

/** Purpose of a message. A block of scope `promotional` stops only promotional messages. */
export type MessageCategory =
  /** advertising; not sent to recipients who unsubscribed */
  | 'promotional'
  /** messages that the recipient needs, such as codes and invoices */
  | 'transactional';

/** Channel of a single message. */
export type MessageChannel =
  /** email */
  | 'email'
  /** push messages to apps and browsers */
  | 'push'
  /** SMS */
  | 'sms';

/** Filter by included or excluded values. */
export type MessageChannelFilter = {
  /** equal to this value */
  eq?: MessageChannel | null | undefined;
  /** equal to one of these values */
  in?: Array<MessageChannel> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<MessageChannel> | null | undefined;
};

/** Filter for messages of projects. */
export type MessageRecordWhere = {
  /** filter by the source account that sent them, or received the reply */
  accountUuid?: IdFilter | null | undefined;
  /** filter by channel */
  channel?: ProjectChannelFilter | null | undefined;
  /** filter by direction */
  direction?: DirectionFilter | null | undefined;
  /** filter by the reason for which they failed or were skipped */
  failureCode?: TextFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by the time at which they were queued */
  queuedAt?: TimeFilter | null | undefined;
  /** filter by project */
  sendingProjectUuid?: IdFilter | null | undefined;
  /** filter by status */
  status?: RecordStatusFilter | null | undefined;
  /** filter by the address of the other side, in any common notation */
  to?: TextFilter | null | undefined;
  /** filter by the time of the last change */
  updatedAt?: TimeFilter | null | undefined;
};

/** Status of a message, as the service specification defines it. */
export type MessageStatus =
  /** delivered; for an inbound message: received */
  | 'delivered'
  /** not delivered, for certain, and refunded */
  | 'failed'
  /** not yet accepted by a provider, or the result is unknown */
  | 'queued'
  /** accepted by the provider */
  | 'sent';

/** Filter by included or excluded values. */
export type MessageStatusFilter = {
  /** equal to this value */
  eq?: MessageStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<MessageStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<MessageStatus> | null | undefined;
};

/** Filter for messages. */
export type MessageWhere = {
  /** the account that pays */
  accountId?: IdFilter | null | undefined;
  /** filter by channel */
  channel?: MessageChannelFilter | null | undefined;
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** outbound or inbound */
  direction?: DirectionFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by status */
  status?: MessageStatusFilter | null | undefined;
  /** filter by recipient, in the channel's format */
  to?: TextFilter | null | undefined;
  /** filter by the time of the last change */
  updatedAt?: TimeFilter | null | undefined;
};

/** The messenger. */
export type MessengerSource =
  /** Telegram */
  | 'telegram'
  /** WhatsApp */
  | 'whatsapp';

/** Why a project is paused, or is running but sends nothing. It continues automatically when the cause is gone, except after `recipients_failed`. */
export type PauseReason =
  /** the account's balance is too low for the next message */
  | 'balance_used_up'
  /** no source account of the project is connected */
  | 'no_sender_online'
  /** the project's owner is suspended */
  | 'owner_suspended'
  /** the provider rejects its credentials; an administrator must correct them */
  | 'provider_refuses_credentials'
  /** an import was added only in part; stop the project, then start it to send to the recipients that were added */
  | 'recipients_failed'
  /** the project is running, and rows of an import are still being added */
  | 'recipients_pending'
  /** a limit of the tariff is reached */
  | 'tariff_used_up'
  /** the project is running, but the sending window of no recipient is open */
  | 'window_closed';

/** The plan of an account. */
export type Plan =
  /** by agreement */
  | 'enterprise'
  /** free of charge */
  | 'free'
  /** for regular use */
  | 'pro';

/** Channel of a project's messages. */
export type ProjectChannel =
  /** email */
  | 'email'
  /** push messages to apps and browsers */
  | 'push'
  /** SMS */
  | 'sms'
  /** Telegram, through source accounts */
  | 'telegram'
  /** WhatsApp, through source accounts */
  | 'whatsapp';

/** Filter by included or excluded values. */
export type ProjectChannelFilter = {
  /** equal to this value */
  eq?: ProjectChannel | null | undefined;
  /** equal to one of these values */
  in?: Array<ProjectChannel> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ProjectChannel> | null | undefined;
};

/** Status of a project; docs/states.md describes all transitions. */
export type ProjectStatus =
  /** deleted; it is kept only for the statistics */
  | 'deleted'
  /** never started */
  | 'draft'
  /** all messages have left the queue and none is being sent */
  | 'finished'
  /** continues automatically when the cause is gone; `statusReason` gives the cause */
  | 'paused'
  /** its messages are being sent */
  | 'running'
  /** starts at its `startAt` */
  | 'scheduled'
  /** stopped by a user; continues when it is started */
  | 'stopped';

/** degraded: everything is available, but something is slow; error: something is unavailable. */
export type ReadinessStatus =
  /** everything is available, but something is slow */
  | 'degraded'
  /** something is unavailable */
  | 'error'
  /** everything is available */
  | 'ok';

/** The nine states of a project's message. A message is in exactly one of them. */
export type RecordStatus =
  /** not sent, because the project was deleted */
  | 'canceled'
  /** delivered to the recipient */
  | 'delivered'
  /** not delivered, for certain */
  | 'failed'
  /** waiting to be sent */
  | 'queued'
  /** read by the recipient */
  | 'read'
  /** being sent: the provider may already have accepted it */
  | 'sending'
  /** accepted by the provider */
  | 'sent'
  /** not sent: the recipient is blocked, or a variable is missing */
  | 'skipped'
  /** sent, but the provider did not confirm it; it is not sent again automatically */
  | 'unknown';

/** Filter by included or excluded values. */
export type RecordStatusFilter = {
  /** equal to this value */
  eq?: RecordStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<RecordStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<RecordStatus> | null | undefined;
};

/** Role of a user. */
export type Role =
  /** can read and change everything */
  | 'admin'
  /** can read and change only the user's own objects */
  | 'user';

/** State of a route's circuit breaker. */
export type RouteState =
  /** messages are sent through the route */
  | 'closed'
  /** the provider does not respond, and messages wait */
  | 'open'
  /** one message is being sent to test the provider */
  | 'probing';

/** A message to send: the specification's SendMessageRequest, and the account that pays. */
export type SendMessage = {
  /** the account that pays; default: your oldest account */
  accountId?: string | null | undefined;
  /** text of the message */
  body: string;
  /** transactional messages are also sent to recipients who unsubscribed from promotional ones; default: transactional */
  category?: MessageCategory;
  /** channel to send it on */
  channel: MessageChannel;
  /** email: subject, html, replyTo, attachmentUuids; push: title, data; other keys are stored with the message */
  metadata?: unknown;
  /** recipient: a phone (sms), an email address, or a device token or Web Push subscription (push) */
  to: string;
  /** validity in seconds: a message that no provider has accepted within this time becomes `failed` with the code `expired`, and is refunded; default: 86400 (one day) */
  validSeconds?: number;
};

/** Direction in which a list is sorted. */
export type SortDirection =
  /** ascending: smallest or oldest first */
  | 'asc'
  /** descending: largest or newest first */
  | 'desc';

/** Filter by the exact text. */
export type TextFilter = {
  /** equal to this value */
  eq?: string | null | undefined;
  /** equal to one of these values */
  in?: Array<string> | null | undefined;
};

/** Filter by a time range; it may be open at either end. */
export type TimeFilter = {
  /** after this time */
  gt?: string | null | undefined;
  /** at or after this time */
  gte?: string | null | undefined;
  /** before this time */
  lt?: string | null | undefined;
  /** at or before this time */
  lte?: string | null | undefined;
};

/** The fields of a user that a PATCH may contain. Read-only fields are accepted if they do not change. */
export type UserPatch = {
  /** read-only */
  createdAt?: string | null | undefined;
  /** display name */
  displayName?: string | null | undefined;
  /** an email address */
  email?: string | null | undefined;
  /** read-only */
  id?: string | null | undefined;
  /** language tag (BCP 47): language of the page on which recipients unsubscribe from this user's messages */
  locale?: string | null | undefined;
  /** status of the user; for administrators */
  roles?: Array<Role> | null | undefined;
  /** status of the user; for administrators */
  status?: UserStatus | null | undefined;
  /** read-only */
  updatedAt?: string | null | undefined;
};

/** Status of a user. Only an active user can log in. */
export type UserStatus =
  /** can log in */
  | 'active'
  /** deleted permanently */
  | 'deleted'
  /** has not accepted the invitation yet */
  | 'invited'
  /** can't log in until activated again */
  | 'suspended';

export type DirectRowFragment = { uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, currency: string } | null };

export type RecordRowFragment = { uuid: string, direction: Direction, channel: ProjectChannel, to: string, body: string | null, status: RecordStatus, failureCode: string | null, price: number, queuedAt: string, updatedAt: string, sendingProject: { uuid: string, name: string } | null, account: { uuid: string, currency: string } | null };

export type DirectPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: MessageWhere | null | undefined;
  direction: SortDirection;
}>;


export type DirectPageQuery = { messages: { nodes: Array<{ uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, currency: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type RecordPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: MessageRecordWhere | null | undefined;
  direction: SortDirection;
}>;


export type RecordPageQuery = { messageRecords: { nodes: Array<{ uuid: string, direction: Direction, channel: ProjectChannel, to: string, body: string | null, status: RecordStatus, failureCode: string | null, price: number, queuedAt: string, updatedAt: string, sendingProject: { uuid: string, name: string } | null, account: { uuid: string, currency: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DirectTotalQueryVariables = Exact<{
  where?: MessageWhere | null | undefined;
}>;


export type DirectTotalQuery = { messages: { totalCount: number } | null };

export type RecordTotalQueryVariables = Exact<{
  where?: MessageRecordWhere | null | undefined;
}>;


export type RecordTotalQuery = { messageRecords: { totalCount: number } | null };

export type DirectChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DirectChangedSubscription = { messageStatusChanged: { uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, currency: string } | null } };

export type RecordsMovedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type RecordsMovedSubscription = { sendingProjectProgress: { uuid: string } };

export type ChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ChoicesQuery = { accounts: { nodes: Array<{ uuid: string, name: string, currency: string, balance: number }> } | null, sendingProjects: { nodes: Array<{ uuid: string, name: string }> } | null, tariff: { code: string, channels: Array<ProjectChannel>, prices: unknown } | null };

export type SendMessageMutationVariables = Exact<{
  input: SendMessage;
}>;


export type SendMessageMutation = { sendMessage: { segments: number, uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, currency: string } | null } | null };

export type SegmentsQueryVariables = Exact<{
  variables: unknown;
}>;


export type SegmentsQuery = { previewMessage: { segments: number | null, characters: number, encoding: string | null } | null };

export type OneMessageQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
}>;


export type OneMessageQuery = { message: { accountId: string, category: MessageCategory, trial: boolean, segments: number, attempts: number, provider: string | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, name: string, currency: string } | null, owner?: { uuid: string, email: string } | null } | null, messageRecord: { attempts: number, variant: number | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, repliedAt: string | null, uuid: string, direction: Direction, channel: ProjectChannel, to: string, body: string | null, status: RecordStatus, failureCode: string | null, price: number, queuedAt: string, updatedAt: string, sourceAccount: { uuid: string, login: string, source: string } | null, account: { uuid: string, name: string, currency: string } | null, sendingProject: { uuid: string, name: string } | null } | null };

export type OneChangedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type OneChangedSubscription = { messageStatusChanged: { uuid: string, deliveryState: DeliveryState, updatedAt: string } };

export type LedgerQueryVariables = Exact<{
  account: string | number;
  from: string;
  to: string;
}>;


export type LedgerQuery = { account: { uuid: string, ledger: { nodes: Array<{ uuid: string, kind: EntryKind, amount: number, reference: string, createdAt: string }>, pageInfo: { hasNextPage: boolean } } | null } | null };

export type TrafficQueryVariables = Exact<{
  interval: Interval;
  from: string;
  timezone: string;
}>;


export type TrafficQuery = { statisticsGeneral: { items: Array<{ from: string, sent: number, delivered: number, failed: number }> } | null, direct: { statuses: unknown } | null, project: { statuses: unknown } | null };

export type QueueQueryVariables = Exact<{ [key: string]: never; }>;


export type QueueQuery = { queueStatistics: { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> } | null };

export type QueueChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type QueueChangedSubscription = { queueStatisticsChanged: { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> } };

export type QueueFieldsFragment = { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> };

export type AttentionQueryVariables = Exact<{
  admin: boolean;
}>;


export type AttentionQuery = { me: { uuid: string, accounts: { nodes: Array<{ uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null }> } | null } | null, sendingProjects: { nodes: Array<{ uuid: string, name: string, statusReason: PauseReason | null, resumeAt: string | null }> } | null, processingHealth: { projects: Array<{ uuid: string, stuck: boolean, lastProgressAt: string | null, project: { uuid: string, name: string } | null }> } | null, messengerAccounts: { nodes: Array<{ uuid: string, login: string, name: string, source: MessengerSource, state: AccountState, reason: string | null }> } | null, webhooks: { nodes: Array<{ uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, lastError: string | null, missed: number, dead: number }> } | null, eventFeed: { recording: boolean, nearlyFull: boolean, count: number, limit: number } | null, tariff: { code: string, messagesPerDay: number, used: { messagesToday: number, resetsAt: string } } | null, readiness?: { status: ReadinessStatus, error: unknown } | null };

export type NewcomerQueryVariables = Exact<{ [key: string]: never; }>;


export type NewcomerQuery = { messages: { nodes: Array<{ uuid: string }> } | null, sendingProjects: { nodes: Array<{ uuid: string }> } | null };

export type DirectSignalSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DirectSignalSubscription = { messageStatusChanged: { uuid: string } };

export type ProjectSignalSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ProjectSignalSubscription = { sendingProjectProgress: { uuid: string, status: ProjectStatus } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePassword;
}>;


export type ChangePasswordMutation = { changePassword: { expiresIn: number } | null };

export type SaveProfileMutationVariables = Exact<{
  id: string | number;
  input: UserPatch;
}>;


export type SaveProfileMutation = { updateUser: { uuid: string, email: string, displayName: string, locale: string | null } | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { me: { uuid: string, email: string, displayName: string, locale: string | null, roles: Array<Role> } | null };

export type LogoutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutEverywhereMutation = { logoutEverywhere: boolean | null };

export const DirectRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectRowFragment, unknown>;
export const RecordRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordRowFragment, unknown>;
export const QueueFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueFieldsFragment, unknown>;
export const DirectPageDocument = {"__meta__":{"hash":"sha256:410d449a89bf6bc7a15f0af7235742a06341603efaea7c722e1037cc503903c1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectPageQuery, DirectPageQueryVariables>;
export const RecordPageDocument = {"__meta__":{"hash":"sha256:357a20057450db38ae88af9cfd4b747ac9693522fb05399c43f4ffc5db018af9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordPageQuery, RecordPageQueryVariables>;
export const DirectTotalDocument = {"__meta__":{"hash":"sha256:33c9da855d04ee47245fcf927d799268f6906bf7e13891d7169d9f0c59454d25"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<DirectTotalQuery, DirectTotalQueryVariables>;
export const RecordTotalDocument = {"__meta__":{"hash":"sha256:251d3b1c6f56bfbf503bed92b030a8e6e01b72fa9cc61879f4d58b1d7d54c8a2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<RecordTotalQuery, RecordTotalQueryVariables>;
export const DirectChangedDocument = {"__meta__":{"hash":"sha256:3255eb2bee4ec2ef195c5d8a398ed4b67faedf1b818e01ed1baf6d4d68a57bfa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectChangedSubscription, DirectChangedSubscriptionVariables>;
export const RecordsMovedDocument = {"__meta__":{"hash":"sha256:43e07c2e6d2a08e4a23f2a1aa240744c8e1f3ffe3833c60e1e05c882141a816d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RecordsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RecordsMovedSubscription, RecordsMovedSubscriptionVariables>;
export const ChoicesDocument = {"__meta__":{"hash":"sha256:4e0efb2663a76d74868a172d4b81344d101fb4bf63fddef628255e7408b01610"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}}]}}]}}]} as unknown as DocumentNode<ChoicesQuery, ChoicesQueryVariables>;
export const SendMessageDocument = {"__meta__":{"hash":"sha256:c9d16258dc9ebfc354e9082b014de6b900352e53a94fbef2107476cdd7e646f0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const SegmentsDocument = {"__meta__":{"hash":"sha256:3642c24ebdafce26c5bfeb3ff28fa5402c244ee5411134b7d5cafed8f353a9f9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Segments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"variables"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSON"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"channel"},"value":{"kind":"EnumValue","value":"sms"}},{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"StringValue","value":"{{ body }}","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"variables"},"value":{"kind":"Variable","name":{"kind":"Name","value":"variables"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"characters"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<SegmentsQuery, SegmentsQueryVariables>;
export const OneMessageDocument = {"__meta__":{"hash":"sha256:88d407be1403f09d8ccaf78b823e65c6cc973888c2ce086ccfaf380f72cdb222"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"trial"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"variant"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"readAt"}},{"kind":"Field","name":{"kind":"Name","value":"repliedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<OneMessageQuery, OneMessageQueryVariables>;
export const OneChangedDocument = {"__meta__":{"hash":"sha256:ffa7ec7ecf779fe3f1a679a6953bbaac8be8969aed43376231cfaadc6d104492"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OneChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<OneChangedSubscription, OneChangedSubscriptionVariables>;
export const LedgerDocument = {"__meta__":{"hash":"sha256:532dfb1127f97fed0ace966e447854008c3555d28e8d9da72658576113065570"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Ledger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ledger"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"createdAt"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"gte"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"lte"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"asc"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"reference"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]}}]} as unknown as DocumentNode<LedgerQuery, LedgerQueryVariables>;
export const TrafficDocument = {"__meta__":{"hash":"sha256:a7ef306caadba11ed646c0d4a14d9a58ba839e3adae47f8d5e7dfb85820a6450"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Traffic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"interval"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Interval"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statisticsGeneral"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"all"}},{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"timezone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"direct"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"direct"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"project"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"project"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}}]}}]} as unknown as DocumentNode<TrafficQuery, TrafficQueryVariables>;
export const QueueDocument = {"__meta__":{"hash":"sha256:5f817b302b4e19e7db76898de416eb746002ea6a7e28963403932df48dd8352a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Queue"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueQuery, QueueQueryVariables>;
export const QueueChangedDocument = {"__meta__":{"hash":"sha256:78deb16c010409f338defee3867c53f07cd19669267399bbd6b5d9dcd22c35a6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"QueueChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatisticsChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueChangedSubscription, QueueChangedSubscriptionVariables>;
export const AttentionDocument = {"__meta__":{"hash":"sha256:d3b45fdae5102622b09bd056071a2a7acd6c06b9fd68a5affabe6b5019270c10"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Attention"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"paused"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"failed"},{"kind":"EnumValue","value":"loggedOut"},{"kind":"EnumValue","value":"blocked"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recording"}},{"kind":"Field","name":{"kind":"Name","value":"nearlyFull"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"readiness"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<AttentionQuery, AttentionQueryVariables>;
export const NewcomerDocument = {"__meta__":{"hash":"sha256:0aed757c85c4fd0499dd61cb594483ebbc572c19ce5281724ddb2d056344681e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Newcomer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]} as unknown as DocumentNode<NewcomerQuery, NewcomerQueryVariables>;
export const DirectSignalDocument = {"__meta__":{"hash":"sha256:ab3a9c0a8a0b80078e7121fd378ddbad92c9eb476941e953d5d3bfb2598a3c27"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<DirectSignalSubscription, DirectSignalSubscriptionVariables>;
export const ProjectSignalDocument = {"__meta__":{"hash":"sha256:2edaa3d1561efa5540358b63c3a7906fcc52935ede0a0b430ae9b00a1057840d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSignalSubscription, ProjectSignalSubscriptionVariables>;
export const ChangePasswordDocument = {"__meta__":{"hash":"sha256:ad30dc6b881af7acd84227290b56c4bc6d84e5342719d0cac6fc217a620023f3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangePassword"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresIn"}}]}}]}}]} as unknown as DocumentNode<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const SaveProfileDocument = {"__meta__":{"hash":"sha256:eef4fd787fe819ec9b0057bfa135a889d12f206e95d42a076015bd04bbbd1f0d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveProfile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}}]}}]}}]} as unknown as DocumentNode<SaveProfileMutation, SaveProfileMutationVariables>;
export const ViewerDocument = {"__meta__":{"hash":"sha256:e430fe6c126ec518ced45862208d7cab8a8b43c4bea8aee52d634d7be7e63948"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const LogoutEverywhereDocument = {"__meta__":{"hash":"sha256:52707447b420e68f4a0918465e15cadf17002137ecf83682995cbd21b0be795c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LogoutEverywhere"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logoutEverywhere"}}]}}]} as unknown as DocumentNode<LogoutEverywhereMutation, LogoutEverywhereMutationVariables>;