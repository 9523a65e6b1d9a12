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

/** The reason and the scope of a block. */
export type BlockPhone = {
  /** default: `manual` for a new block, the current reason for an existing one */
  reason?: BlockReason | null | undefined;
  /** which messages the block stops; an existing scope can only be widened */
  scope?: BlockScope;
};

/** Why a phone or an address is blocked. */
export type BlockReason =
  /** the recipient reported a message as spam */
  | 'complaint'
  /** the provider reports that the address does not exist */
  | 'hardBounce'
  /** blocked manually, or through the API */
  | 'manual'
  /** the recipient opted out by a stop word */
  | 'optOut'
  /** the recipient used an unsubscribe link */
  | 'unsubscribed';

/** Filter by included or excluded values. */
export type BlockReasonFilter = {
  /** equal to this value */
  eq?: BlockReason | null | undefined;
  /** equal to one of these values */
  in?: Array<BlockReason> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<BlockReason> | null | undefined;
};

/** Which messages a block stops. */
export type BlockScope =
  /** all messages are blocked */
  | 'all'
  /** only promotional messages are blocked */
  | 'promotional';

/** Filter by included or excluded values. */
export type BlockScopeFilter = {
  /** equal to this value */
  eq?: BlockScope | null | undefined;
  /** equal to one of these values */
  in?: Array<BlockScope> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<BlockScope> | null | undefined;
};

/** Filter for blocked phones and addresses. */
export type BlockedPhoneWhere = {
  /** filter by the time since when they are blocked */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** the user whose messages are not sent there */
  ownerId?: IdFilter | null | undefined;
  /** filter by the exact phone in E.164 format, or the email address in lower case */
  phone?: TextFilter | null | undefined;
  /** filter by reason */
  reason?: BlockReasonFilter | null | undefined;
  /** filter by scope */
  scope?: BlockScopeFilter | null | undefined;
  /** filter by a part of the phone or address */
  text?: SearchFilter | null | undefined;
};

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

/** Filter by included or excluded values. */
export type DeliveryStateFilter = {
  /** equal to this value */
  eq?: DeliveryState | null | undefined;
  /** equal to one of these values */
  in?: Array<DeliveryState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<DeliveryState> | null | undefined;
};

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

/** The format of the exported file. */
export type ExportFormat =
  /** comma-separated values (RFC 4180) */
  | 'csv'
  /** one JSON object on each line */
  | 'ndjson'
  /** an Excel spreadsheet */
  | 'xlsx';

/** Progress of an export. */
export type ExportStatus =
  /** canceled by its owner */
  | 'canceled'
  /** waiting for a worker */
  | 'created'
  /** failed; `statusReason` gives the reason */
  | 'failed'
  /** the file can be downloaded */
  | 'ready'
  /** the file is being written */
  | 'running';

/** Filter by ids: either the global `id` or the `uuid` that REST uses. */
export type IdFilter = {
  /** equal to this id */
  eq?: string | null | undefined;
  /** equal to one of these values */
  in?: Array<string> | null | undefined;
};

/** Progress of an import. */
export type ImportStatus =
  /** failed; `statusReason` gives the reason */
  | 'failed'
  /** the list is being read */
  | 'processing'
  /** all rows are read and can be used */
  | 'ready';

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
  /** filter by exact state */
  deliveryState?: DeliveryStateFilter | null | undefined;
  /** outbound or inbound */
  direction?: DirectionFilter | null | undefined;
  /** filter by the reason of the failure */
  failureCode?: TextFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by status */
  status?: MessageStatusFilter | null | undefined;
  /** filter by recipient, in the channel's format */
  to?: TextFilter | null | undefined;
  /** filter by the time of the last change */
  updatedAt?: TimeFilter | null | undefined;
};

/** The driver that connects a messenger account. */
export type MessengerDriver =
  /** a simulated messenger for tests; nothing leaves the service */
  | 'sandbox'
  /** as a Telegram client of the account's user */
  | 'telegram'
  /** as a linked device of a WhatsApp account */
  | 'whatsapp'
  /** through Meta's WhatsApp Cloud API */
  | 'whatsapp_cloud';

/** The messenger. */
export type MessengerSource =
  /** Telegram */
  | 'telegram'
  /** WhatsApp */
  | 'whatsapp';

/** What happens after runs were missed because no worker could start them in time. */
export type Misfire =
  /** one run is made for all missed ones */
  | 'one'
  /** missed runs are skipped */
  | 'skip';

/** A list of recipients: as rows, or as an uploaded file. */
export type NewImport = {
  /** delimiter between cells; `tab` for a tab */
  delimiter?: string | null | undefined;
  /** character encoding of a text file */
  encoding?: string | null | undefined;
  /** uuid of an uploaded file: CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS */
  fileUuid?: string | null | undefined;
  /** whether the list has a line with the column names */
  header?: boolean | null | undefined;
  /** number of the line with the column names, from 1; the lines above it are ignored */
  headerRow?: number | null | undefined;
  /** field to column: `address`, `phone` or `email` (messages are sent to the first of these that is mapped), `name`, `timezone`, and variables by their names; other columns are ignored */
  mapping?: unknown;
  /** ISO 3166-1 country of phones that are written without + */
  region?: string | null | undefined;
  /** rows as objects; fields other than address, name and time zone become variables */
  rows?: Array<unknown> | null | undefined;
};

/** A repeatable project to create; it runs only after it is started. */
export type NewRepeatableProject = {
  /** display name */
  name: string;
  /** when it runs */
  schedule: ScheduleInput;
  /** where the recipients of each run come from */
  source: SourceInput;
  /** the content and settings of each run */
  template: ProjectTemplateInput;
};

/** A project to create. Its texts can be added later, by PATCH; it sends nothing before it is started. */
export type NewSendingProject = {
  /** the account that pays; default: your oldest account */
  accountId?: string | null | undefined;
  /** uuids of the source accounts to send from */
  accountUuids?: Array<string> | null | undefined;
  /** uuids of files to attach */
  attachmentUuids?: Array<string> | null | undefined;
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory;
  /** channel of its messages */
  channel: ProjectChannel;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** display name */
  name: string;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** a started project begins at this time, at most a year in the future */
  startAt?: string | null | undefined;
  /** true: a recipient who replies to any of your messages receives no further messages of the project */
  stopOnReply?: boolean;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** message template of WhatsApp Cloud */
  template?: WhatsAppTemplateInput | null | undefined;
  /** text; Liquid */
  text?: string | null | undefined;
  /** text variants in place of `text`, chosen by weight */
  variants?: Array<TextVariantInput> | null | undefined;
  /** when messages may be sent; default: at any time */
  window?: SendingWindowInput | null | undefined;
};

/** A list of recipients as lines of text. */
export type NewTextImport = {
  /** ISO 3166-1 country of phones that are written without + */
  region?: string | null | undefined;
  /** one phone or address on each line, optionally followed by `;` or `,` and a name */
  text: string;
};

/** What happens to a recipient who lacks a variable of the text. */
export type OnMissingVariable =
  /** the variable is replaced by an empty text */
  | 'empty'
  /** the recipient is skipped */
  | 'skip';

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

/** What decides how fast the messages of a project leave. */
export type PlanLimit =
  /** the random delay before each message */
  | 'jitter'
  /** nothing but the provider's route */
  | 'route'
  /** the messages per minute of its source accounts */
  | 'senders'
  /** the project's own messages per minute */
  | 'speed'
  /** the messages per minute of the owner's tariff */
  | 'tariff';

/** Settings to plan with, before they are saved. Omitted fields are the project's own; null is their default. */
export type PlannedChanges = {
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** when messages may be sent; null: at any time */
  window?: SendingWindowInput | null | undefined;
};

/** A text to render. Texts that are not given are taken from the project, variables that are not given from the recipient. */
export type PreviewMessage = {
  /** default: the project's channel, or sms without a project */
  channel?: ProjectChannel | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** a recipient of that project, whose variables are used */
  recipientUuid?: string | null | undefined;
  /** the project whose texts are used */
  sendingProjectUuid?: string | null | undefined;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** text; Liquid */
  text?: string | null | undefined;
  /** values of variables by name; they override those of the recipient */
  variables?: unknown;
  /** index of the project's text variant, from 0 */
  variant?: number | null | undefined;
};

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

/** Filter by included or excluded values. */
export type ProjectStatusFilter = {
  /** equal to this value */
  eq?: ProjectStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<ProjectStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ProjectStatus> | null | undefined;
};

/** The content and settings of each run. */
export type ProjectTemplateInput = {
  /** the account that pays; null: your oldest account */
  accountId?: string | null | undefined;
  /** uuids of the source accounts to send from */
  accountUuids?: Array<string> | null | undefined;
  /** uuids of files to attach */
  attachmentUuids?: Array<string> | null | undefined;
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory;
  /** channel of its messages */
  channel: ProjectChannel;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** true: a recipient who replies to any of your messages receives no further messages of the project */
  stopOnReply?: boolean;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** message template of WhatsApp Cloud */
  template?: WhatsAppTemplateInput | null | undefined;
  /** text; Liquid */
  text?: string | null | undefined;
  /** text variants in place of `text`, chosen by weight */
  variants?: Array<TextVariantInput> | null | undefined;
  /** when messages may be sent; null: at any time */
  window?: SendingWindowInput | null | undefined;
};

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

/** Changes to a repeatable project. Template, schedule and source are replaced as a whole. The changes apply to later runs. */
export type RepeatablePatch = {
  /** display name */
  name?: string | null | undefined;
  /** when it runs */
  schedule?: ScheduleInput | null | undefined;
  /** where the recipients of each run come from */
  source?: SourceInput | null | undefined;
  /** the content and settings of each run */
  template?: ProjectTemplateInput | null | undefined;
};

/** Whether a repeatable project is active. */
export type RepeatableStatus =
  /** runs by its schedule */
  | 'active'
  /** never started */
  | 'draft'
  /** the schedule has no further runs */
  | 'finished'
  /** does not run until it is started */
  | 'stopped';

/** Which messages to send again. */
export type RetryProject = {
  /** only failed messages with one of these failure codes; empty: none; default: all failed messages */
  failed?: Array<string> | null | undefined;
  /** also skipped messages with one of these failure codes; the cause of skipping is checked again */
  skipped?: Array<string> | null | undefined;
  /** true: also messages in state `unknown`; some recipients may get the message twice */
  unknown?: boolean;
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

/** When a repeatable project runs: either rrule or cron is required. */
export type ScheduleInput = {
  /** cron expression with five fields: minute, hour, day of month, month, day of week */
  cron?: string | null | undefined;
  /** no runs after this time; null: no end */
  endAt?: string | null | undefined;
  /** it is finished after this number of runs; null: no limit */
  maxRuns?: number | null | undefined;
  /** after runs were missed by more than 10 minutes: skip all of them, or run once for all */
  misfire?: Misfire;
  /** RFC 5545 rule, at most one run per minute, counted from startAt */
  rrule?: string | null | undefined;
  /** no runs before this time; default of an rrule: the last midnight */
  startAt?: string | null | undefined;
  /** IANA time zone */
  timezone?: string;
};

/** Filter by a part of a text, in upper or lower case. */
export type SearchFilter = {
  /** the text it begins with; there are no wildcards */
  contains?: string | null | undefined;
};

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

/** A test message to send. */
export type SendTest = {
  /** the source account to send from, for telegram and whatsapp */
  accountUuid?: string | null | undefined;
  /** channel to send it on */
  channel: ProjectChannel;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** text; Liquid */
  text: string;
  /** a phone (sms, whatsapp, telegram), an email address, a device token or a Telegram username */
  to: string;
  /** values of variables by name */
  variables?: unknown;
};

/** Whether messages can be sent through a source account. */
export type SenderStatus =
  /** its messenger has blocked it */
  | 'blocked'
  /** messages can be sent through it */
  | 'connected'
  /** deleted; it is no longer used */
  | 'deleted'
  /** its messages wait until it is connected again */
  | 'disconnected';

/** Sort order of projects. */
export type SendingProjectOrder = {
  /** sort direction */
  direction?: SortDirection;
  /** sort key */
  field?: SendingProjectSort;
};

/** Changes to a project. Omitted fields stay unchanged; null removes a value or restores its default. */
export type SendingProjectPatch = {
  /** the account that pays; null: your oldest account */
  accountId?: string | null | undefined;
  /** uuids of the source accounts to send from */
  accountUuids?: Array<string> | null | undefined;
  /** uuids of files to attach */
  attachmentUuids?: Array<string> | null | undefined;
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory | null | undefined;
  /** it can be changed only while there are no recipients */
  channel?: ProjectChannel | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** display name */
  name?: string | null | undefined;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable | null | undefined;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** a started project begins at this time, at most a year in the future */
  startAt?: string | null | undefined;
  /** true: a recipient who replies to any of your messages receives no further messages of the project */
  stopOnReply?: boolean | null | undefined;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** message template of WhatsApp Cloud */
  template?: WhatsAppTemplateInput | null | undefined;
  /** text; Liquid */
  text?: string | null | undefined;
  /** text variants in place of `text`, chosen by weight */
  variants?: Array<TextVariantInput> | null | undefined;
  /** when messages may be sent; null: at any time */
  window?: SendingWindowInput | null | undefined;
};

/** Sort keys of projects. */
export type SendingProjectSort =
  /** time of creation */
  | 'createdAt'
  /** by name, compared character by character */
  | 'name'
  /** time of the last change */
  | 'updatedAt';

/** Filter for projects. */
export type SendingProjectWhere = {
  /** the account that pays */
  accountId?: IdFilter | null | undefined;
  /** filter by channel */
  channel?: ProjectChannelFilter | null | undefined;
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** part of the name */
  name?: SearchFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by the repeatable project that created them */
  repeatableUuid?: IdFilter | null | undefined;
  /** filter by status */
  status?: ProjectStatusFilter | null | undefined;
};

/** How often a message is tried again after a temporary failure. */
export type SendingRetryInput = {
  /** seconds before the second attempt, doubled for each further one; default: 60 */
  backoffSeconds?: number | null | undefined;
  /** number of attempts; default: 3 */
  maxAttempts?: number | null | undefined;
};

/** Sending rate. Where a value is omitted, only the tariff and the providers limit it. */
export type SendingSpeedInput = {
  /** maximum random delay before each message, in seconds; null: no delay */
  jitterSeconds?: number | null | undefined;
  /** messages of each source account per minute; null: no limit */
  perAccountPerMinute?: number | null | undefined;
  /** messages of the project per minute; null: no limit */
  perMinute?: number | null | undefined;
};

/** The local time at which messages may be sent. If it ends before it begins, it lasts until the next day. */
export type SendingWindowInput = {
  /** weekdays on which the window opens: 1 is Monday, 7 is Sunday; default: every day */
  days?: Array<number> | null | undefined;
  /** local time at which the window opens */
  from: string;
  /** true: use the recipient's own time zone, if it is known */
  recipientTimezone?: boolean;
  /** IANA time zone */
  timezone: string;
  /** local time at which the window closes; 24:00 is midnight */
  to: string;
};

/** Direction in which a list is sorted. */
export type SortDirection =
  /** ascending: smallest or oldest first */
  | 'asc'
  /** descending: largest or newest first */
  | 'desc';

/** Where the recipients of each run come from: exactly one of the two is required. */
export type SourceInput = {
  /** uuid of a recipient import */
  importUuid?: string | null | undefined;
  /** uuid of a Sending Project */
  sendingProjectUuid?: string | null | undefined;
};

/** An export to start, or an integration to open a link for. */
export type StartExport = {
  /** names of columns from GET /export-link/variables/{source}, in the order of the file; empty: the default columns */
  columns?: Array<string> | null | undefined;
  /** which rows to export. messages: accountUuid, channel, direction, status, phone, dateFrom, dateTo, updatedSince; recipients: status; sending-projects and statistics: status, channel, dateFrom, dateTo; blocked-phones: reason, dateFrom, dateTo; an integration: any values, which it can read */
  filters?: unknown;
  /** file format */
  format?: ExportFormat;
  /** messages: only those of this project; recipients: the project whose recipients are exported; an integration: the project that receives the contacts */
  sendingProjectUuid?: string | null | undefined;
  /** messages, recipients, sending-projects, statistics or blocked-phones: exported to a file; any other name: an integration that delivers contacts */
  source: string;
};

/** Filter by the exact text. */
export type TextFilter = {
  /** equal to this value */
  eq?: string | null | undefined;
  /** equal to one of these values */
  in?: Array<string> | null | undefined;
};

/** One of several text variants. A recipient always gets the same variant. */
export type TextVariantInput = {
  /** text in place of the project's; Liquid */
  text: string;
  /** relative frequency compared with the other variants */
  weight?: number;
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

/** An approved message template of WhatsApp Cloud. */
export type WhatsAppTemplateInput = {
  /** language of the template */
  language: string;
  /** name of the template at WhatsApp */
  name: string;
  /** parameters of the template, in order; Liquid */
  params?: Array<string> | null | undefined;
};

export type BlockPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: BlockedPhoneWhere | null | undefined;
}>;


export type BlockPageQuery = { blockedPhones: { totalCount: number, nodes: Array<{ uuid: string, phone: string, reason: BlockReason, scope: BlockScope, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type BlockMutationVariables = Exact<{
  phone: string;
  input?: BlockPhone | null | undefined;
}>;


export type BlockMutation = { blockPhone: { uuid: string, phone: string, reason: BlockReason, scope: BlockScope, createdAt: string } | null };

export type UnblockMutationVariables = Exact<{
  phone: string;
}>;


export type UnblockMutation = { unblockPhone: boolean | null };

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


export type OneMessageQuery = { message: { accountId: string, category: MessageCategory, trial: boolean, segments: number, attempts: number, provider: string | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, ledgerEntries: Array<{ uuid: string, kind: EntryKind, amount: number, createdAt: string }> | null, account: { uuid: string, name: string, currency: string } | null, owner?: { uuid: string, email: string } | null } | null, messageRecord: { attempts: number, variant: number | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, repliedAt: string | null, uuid: string, direction: Direction, channel: ProjectChannel, to: string, body: string | null, status: RecordStatus, failureCode: string | null, price: number, queuedAt: string, updatedAt: string, sourceAccount: { uuid: string, login: string, source: string } | null, account: { uuid: string, name: string, currency: string } | null, sendingProject: { uuid: string, name: string } | null } | null };

export type OneChangedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type OneChangedSubscription = { messageStatusChanged: { uuid: string, deliveryState: DeliveryState, updatedAt: string } };

export type TrafficQueryVariables = Exact<{
  interval: Interval;
  from: string;
  timezone: string;
  channel?: ProjectChannel | null | undefined;
}>;


export type TrafficQuery = { statisticsGeneral: { items: Array<{ from: string, sent: number, delivered: number, failed: number, unknown: number }> } | null, statisticsByChannel: Array<{ channel: ProjectChannel, sent: number, delivered: number, failed: number, unknown: number }> | null, direct: { statuses: unknown } | null, project: { statuses: unknown } | null };

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

export type ProjectRowFragment = { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null };

export type ProjectRowsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: SendingProjectWhere | null | undefined;
  orderBy?: SendingProjectOrder | null | undefined;
}>;


export type ProjectRowsQuery = { sendingProjects: { nodes: Array<{ uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ProjectTotalQueryVariables = Exact<{
  where?: SendingProjectWhere | null | undefined;
}>;


export type ProjectTotalQuery = { sendingProjects: { totalCount: number } | null };

export type ProjectsMovedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ProjectsMovedSubscription = { sendingProjectProgress: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } };

export type OneProjectQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
}>;


export type OneProjectQuery = { sendingProject: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, processing: { stuck: boolean, lastProgressAt: string | null } | null, failureReasons: Array<{ code: string, count: number, skipped: number | null }> | null, variantStatistics: Array<{ variant: number, counts: { total: number, sent: number, delivered: number, read: number, failed: number, replied: number }, rates: { delivered: number | null, read: number | null, failed: number | null, replied: number | null } }> | null, rates: { sent: number | null, delivered: number | null, read: number | null, failed: number | null, replied: number | null }, account: { uuid: string, name: string, currency: string, balance: number } | null, recipients: { totalCount: number } | null, repeatable: { uuid: string, name: string } | null, owner?: { uuid: string, email: string } | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type ProjectMovedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type ProjectMovedSubscription = { sendingProjectProgress: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } };

export type ProjectSettingsFragment = { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, startAt: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null };

export type StartProjectMutationVariables = Exact<{
  id: string | number;
}>;


export type StartProjectMutation = { startSendingProject: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } | null };

export type StopProjectMutationVariables = Exact<{
  id: string | number;
}>;


export type StopProjectMutation = { stopSendingProject: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } | null };

export type RetryProjectMutationVariables = Exact<{
  id: string | number;
  input?: RetryProject | null | undefined;
}>;


export type RetryProjectMutation = { retrySendingProject: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } | null };

export type DeleteProjectMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteProjectMutation = { deleteSendingProject: boolean | null };

export type ProjectExportsQueryVariables = Exact<{
  id: string;
}>;


export type ProjectExportsQuery = { exportLinks: { nodes: Array<{ uuid: string, source: string, status: ExportStatus, statusReason: string | null, format: ExportFormat, total: number, done: number, url: string | null, createdAt: string }> } | null };

export type StartExportMutationVariables = Exact<{
  input: StartExport;
}>;


export type StartExportMutation = { startExport: { uuid: string, status: ExportStatus } | null };

export type CancelExportMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelExportMutation = { cancelExport: { uuid: string, status: ExportStatus } | null };

export type DraftProjectQueryVariables = Exact<{
  id: string | number;
}>;


export type DraftProjectQuery = { sendingProject: { recipientsPending: number, recipientsError: string | null, uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, startAt: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, recipients: { totalCount: number, nodes: Array<{ uuid: string, address: string, name: string | null, variables: unknown }> } | null, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type ProjectChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ProjectChoicesQuery = { accounts: { nodes: Array<{ uuid: string, name: string, currency: string, balance: number }> } | null, sourceAccounts: { nodes: Array<{ uuid: string, source: string, name: string, login: string, status: SenderStatus, messengerAccount: { driver: MessengerDriver } | null }> } | null, tariff: { channels: Array<ProjectChannel>, prices: unknown, maxRecipientsPerProject: number, messagesPerDay: number, messagesPerMinute: number, used: { messagesToday: number } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: NewSendingProject;
}>;


export type CreateProjectMutation = { createSendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, startAt: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type UpdateProjectMutationVariables = Exact<{
  id: string | number;
  input: SendingProjectPatch;
}>;


export type UpdateProjectMutation = { updateSendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, startAt: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type UploadListMutationVariables = Exact<{
  file: File;
}>;


export type UploadListMutation = { uploadFile: { uuid: string, name: string, size: number } | null };

export type PreviewListQueryVariables = Exact<{
  input: NewImport;
}>;


export type PreviewListQuery = { previewImport: { format: string, delimiter: string | null, encoding: string | null, header: boolean, headerRow: number | null, mapping: unknown, columns: Array<{ name: string, samples: Array<string> }> } | null };

export type ImportListMutationVariables = Exact<{
  input: NewImport;
}>;


export type ImportListMutation = { importRecipients: { uuid: string } | null };

export type ImportTextMutationVariables = Exact<{
  input: NewTextImport;
}>;


export type ImportTextMutation = { importRecipientsFromText: { uuid: string } | null };

export type OneImportQueryVariables = Exact<{
  id: string | number;
}>;


export type OneImportQuery = { recipientImport: { uuid: string, status: ImportStatus, statusReason: string | null, fileName: string | null, total: number, valid: number, invalid: number, duplicates: number } | null };

export type BadRowsQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
}>;


export type BadRowsQuery = { recipientImport: { uuid: string, rows: { nodes: Array<{ line: number, error: { code: string, message: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type EarlierImportsQueryVariables = Exact<{ [key: string]: never; }>;


export type EarlierImportsQuery = { recipientImports: { nodes: Array<{ uuid: string, fileName: string | null, valid: number, createdAt: string }> } | null };

export type AddListMutationVariables = Exact<{
  project: string | number;
  list: string;
}>;


export type AddListMutation = { addRecipients: { added: number, duplicates: number, invalidCount: number, pending: boolean, invalid: Array<{ place: number, message: string }> } | null };

export type PreviewTextQueryVariables = Exact<{
  input: PreviewMessage;
}>;


export type PreviewTextQuery = { previewMessage: { subject: string | null, body: string, html: string | null, variables: Array<string>, missing: Array<string>, characters: number, segments: number | null, encoding: string | null } | null };

export type SendTrialMutationVariables = Exact<{
  input: SendTest;
}>;


export type SendTrialMutation = { sendTestMessage: { messageId: string, status: RecordStatus, error: { code: string, message: string } | null } | null };

export type TimezonesQueryVariables = Exact<{ [key: string]: never; }>;


export type TimezonesQuery = { timezones: Array<string> | null };

export type CountriesQueryVariables = Exact<{
  language?: string | null | undefined;
}>;


export type CountriesQuery = { countries: Array<{ code: string, name: string, dialCode: string }> | null };

export type ProjectPlanQueryVariables = Exact<{
  id: string | number;
  changes?: PlannedChanges | null | undefined;
}>;


export type ProjectPlanQuery = { sendingProjectPlan: { recipients: number, toSend: number, exact: boolean, examined: number, perMinute: number | null, limitedBy: PlanLimit, leftToday: number, beginsAt: string | null, endsAt: string | null, skipped: Array<{ code: string, count: number }>, missing: Array<{ name: string, count: number }>, cost: { currency: string, price: number, amount: number, atMost: number, parts: number | null } | null } | null };

export type RepeatableRowFragment = { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } };

export type RepeatableRowsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type RepeatableRowsQuery = { repeatableSendingProjects: { nodes: Array<{ uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneRepeatableQueryVariables = Exact<{
  id: string | number;
}>;


export type OneRepeatableQuery = { repeatableSendingProject: { nextRuns: Array<string> | null, uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, template: { channel: ProjectChannel, subject: string | null, text: string | null, variants: Array<{ text: string, weight: number }> }, recipientImport: { uuid: string, fileName: string | null, valid: number } | null, sourceProject: { uuid: string, name: string } | null, account: { uuid: string, name: string } | null, sendingProjects: { nodes: Array<{ uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null }> } | null, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type StartRepeatableMutationVariables = Exact<{
  id: string | number;
}>;


export type StartRepeatableMutation = { startRepeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type StopRepeatableMutationVariables = Exact<{
  id: string | number;
}>;


export type StopRepeatableMutation = { stopRepeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type DeleteRepeatableMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteRepeatableMutation = { deleteRepeatableSendingProject: boolean | null };

export type ProjectToRepeatQueryVariables = Exact<{
  id: string | number;
}>;


export type ProjectToRepeatQuery = { sendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, startAt: string | null, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type CreateRepeatableMutationVariables = Exact<{
  input: NewRepeatableProject;
}>;


export type CreateRepeatableMutation = { createRepeatableSendingProject: { uuid: string } | null };

export type RepeatableToEditQueryVariables = Exact<{
  id: string | number;
}>;


export type RepeatableToEditQuery = { repeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, template: { channel: ProjectChannel, accountId: string | null, accountUuids: Array<string>, subject: string | null, html: string | null, text: string | null, attachmentUuids: Array<string>, onMissingVariable: OnMissingVariable, stopOnReply: boolean, category: MessageCategory, variants: Array<{ text: string, weight: number }>, template: { name: string, language: string, params: Array<string> } | null, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null } | null }, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type UpdateRepeatableMutationVariables = Exact<{
  id: string | number;
  input: RepeatablePatch;
}>;


export type UpdateRepeatableMutation = { updateRepeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { me: { uuid: string, email: string, displayName: string, locale: string | null, roles: Array<Role> } | null };

export type LogoutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutEverywhereMutation = { logoutEverywhere: boolean | null };

export const DirectRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectRowFragment, unknown>;
export const RecordRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordRowFragment, unknown>;
export const QueueFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueFieldsFragment, unknown>;
export const ProjectRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectRowFragment, unknown>;
export const ProjectSettingsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSettingsFragment, unknown>;
export const RepeatableRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableRowFragment, unknown>;
export const BlockPageDocument = {"__meta__":{"hash":"sha256:88d76515aa2eca58bbacbb88e00368ea10266e271b80d766e80a37c1990d4c4d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BlockPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockedPhoneWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockedPhones"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<BlockPageQuery, BlockPageQueryVariables>;
export const BlockDocument = {"__meta__":{"hash":"sha256:90f78f97381f028c219feecb34556a5e00e3ffeb1bbf9c9b35148888c9094335"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Block"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"phone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockPhone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockPhone"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"phone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"phone"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<BlockMutation, BlockMutationVariables>;
export const UnblockDocument = {"__meta__":{"hash":"sha256:b9d4140b4367f0599666f8fd72372206147ee88c4d8a7c38540a60072ecaa23b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Unblock"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"phone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unblockPhone"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"phone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"phone"}}}]}]}}]} as unknown as DocumentNode<UnblockMutation, UnblockMutationVariables>;
export const DirectPageDocument = {"__meta__":{"hash":"sha256:410d449a89bf6bc7a15f0af7235742a06341603efaea7c722e1037cc503903c1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectPageQuery, DirectPageQueryVariables>;
export const RecordPageDocument = {"__meta__":{"hash":"sha256:357a20057450db38ae88af9cfd4b747ac9693522fb05399c43f4ffc5db018af9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordPageQuery, RecordPageQueryVariables>;
export const DirectTotalDocument = {"__meta__":{"hash":"sha256:33c9da855d04ee47245fcf927d799268f6906bf7e13891d7169d9f0c59454d25"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<DirectTotalQuery, DirectTotalQueryVariables>;
export const RecordTotalDocument = {"__meta__":{"hash":"sha256:251d3b1c6f56bfbf503bed92b030a8e6e01b72fa9cc61879f4d58b1d7d54c8a2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<RecordTotalQuery, RecordTotalQueryVariables>;
export const DirectChangedDocument = {"__meta__":{"hash":"sha256:3255eb2bee4ec2ef195c5d8a398ed4b67faedf1b818e01ed1baf6d4d68a57bfa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectChangedSubscription, DirectChangedSubscriptionVariables>;
export const RecordsMovedDocument = {"__meta__":{"hash":"sha256:43e07c2e6d2a08e4a23f2a1aa240744c8e1f3ffe3833c60e1e05c882141a816d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RecordsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RecordsMovedSubscription, RecordsMovedSubscriptionVariables>;
export const ChoicesDocument = {"__meta__":{"hash":"sha256:4e0efb2663a76d74868a172d4b81344d101fb4bf63fddef628255e7408b01610"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}}]}}]}}]} as unknown as DocumentNode<ChoicesQuery, ChoicesQueryVariables>;
export const SendMessageDocument = {"__meta__":{"hash":"sha256:c9d16258dc9ebfc354e9082b014de6b900352e53a94fbef2107476cdd7e646f0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const SegmentsDocument = {"__meta__":{"hash":"sha256:3642c24ebdafce26c5bfeb3ff28fa5402c244ee5411134b7d5cafed8f353a9f9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Segments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"variables"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSON"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"channel"},"value":{"kind":"EnumValue","value":"sms"}},{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"StringValue","value":"{{ body }}","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"variables"},"value":{"kind":"Variable","name":{"kind":"Name","value":"variables"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"characters"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<SegmentsQuery, SegmentsQueryVariables>;
export const OneMessageDocument = {"__meta__":{"hash":"sha256:2866e3da44b7e82ddcb085e7322baa094dfbd232f8c7aad0dc5724467a74e76e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"trial"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"ledgerEntries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"variant"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"readAt"}},{"kind":"Field","name":{"kind":"Name","value":"repliedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<OneMessageQuery, OneMessageQueryVariables>;
export const OneChangedDocument = {"__meta__":{"hash":"sha256:ffa7ec7ecf779fe3f1a679a6953bbaac8be8969aed43376231cfaadc6d104492"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OneChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<OneChangedSubscription, OneChangedSubscriptionVariables>;
export const TrafficDocument = {"__meta__":{"hash":"sha256:a618e026ba2617624da58283e261c691a2fd3f0a24b710dc23851ab874d6cb39"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Traffic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"interval"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Interval"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"channel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ProjectChannel"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statisticsGeneral"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"all"}},{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"timezone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}}},{"kind":"Argument","name":{"kind":"Name","value":"channel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"channel"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"statisticsByChannel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"all"}},{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"timezone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"direct"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"direct"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"project"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"project"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}}]}}]} as unknown as DocumentNode<TrafficQuery, TrafficQueryVariables>;
export const QueueDocument = {"__meta__":{"hash":"sha256:5f817b302b4e19e7db76898de416eb746002ea6a7e28963403932df48dd8352a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Queue"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueQuery, QueueQueryVariables>;
export const QueueChangedDocument = {"__meta__":{"hash":"sha256:78deb16c010409f338defee3867c53f07cd19669267399bbd6b5d9dcd22c35a6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"QueueChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatisticsChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueChangedSubscription, QueueChangedSubscriptionVariables>;
export const AttentionDocument = {"__meta__":{"hash":"sha256:d3b45fdae5102622b09bd056071a2a7acd6c06b9fd68a5affabe6b5019270c10"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Attention"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"paused"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"failed"},{"kind":"EnumValue","value":"loggedOut"},{"kind":"EnumValue","value":"blocked"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recording"}},{"kind":"Field","name":{"kind":"Name","value":"nearlyFull"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"readiness"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<AttentionQuery, AttentionQueryVariables>;
export const NewcomerDocument = {"__meta__":{"hash":"sha256:0aed757c85c4fd0499dd61cb594483ebbc572c19ce5281724ddb2d056344681e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Newcomer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]} as unknown as DocumentNode<NewcomerQuery, NewcomerQueryVariables>;
export const DirectSignalDocument = {"__meta__":{"hash":"sha256:ab3a9c0a8a0b80078e7121fd378ddbad92c9eb476941e953d5d3bfb2598a3c27"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<DirectSignalSubscription, DirectSignalSubscriptionVariables>;
export const ProjectSignalDocument = {"__meta__":{"hash":"sha256:2edaa3d1561efa5540358b63c3a7906fcc52935ede0a0b430ae9b00a1057840d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSignalSubscription, ProjectSignalSubscriptionVariables>;
export const ChangePasswordDocument = {"__meta__":{"hash":"sha256:ad30dc6b881af7acd84227290b56c4bc6d84e5342719d0cac6fc217a620023f3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangePassword"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresIn"}}]}}]}}]} as unknown as DocumentNode<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const SaveProfileDocument = {"__meta__":{"hash":"sha256:eef4fd787fe819ec9b0057bfa135a889d12f206e95d42a076015bd04bbbd1f0d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveProfile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}}]}}]}}]} as unknown as DocumentNode<SaveProfileMutation, SaveProfileMutationVariables>;
export const ProjectRowsDocument = {"__meta__":{"hash":"sha256:b24a7ffbd1d96383dd14b7376cc0e3d2f9ad1a95de4ad934ef08247fcb30e5b5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectRowsQuery, ProjectRowsQueryVariables>;
export const ProjectTotalDocument = {"__meta__":{"hash":"sha256:f64c517734d48aa218a76e3397ce03f1ee2934970f528d3b0f62c6625afae4df"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<ProjectTotalQuery, ProjectTotalQueryVariables>;
export const ProjectsMovedDocument = {"__meta__":{"hash":"sha256:add13aae4c39dae966e6993dd723864840cfd771e8172c33a912d81fe7263c16"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectsMovedSubscription, ProjectsMovedSubscriptionVariables>;
export const OneProjectDocument = {"__meta__":{"hash":"sha256:f8c5552fd82acd966e22f20f26a700cfcbb3279830cc639ab10605e0124a7c84"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}},{"kind":"Field","name":{"kind":"Name","value":"processing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failureReasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variantStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"variant"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"rates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"repeatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<OneProjectQuery, OneProjectQueryVariables>;
export const ProjectMovedDocument = {"__meta__":{"hash":"sha256:864f08a6a194a21045f0902e3f1edefbe96174fefd2aea9bcbfa7573b1334a9e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectMoved"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectMovedSubscription, ProjectMovedSubscriptionVariables>;
export const StartProjectDocument = {"__meta__":{"hash":"sha256:a91f920ea20691759e443a9751cae89036dc4b43754aa165bbd181c2251fc457"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<StartProjectMutation, StartProjectMutationVariables>;
export const StopProjectDocument = {"__meta__":{"hash":"sha256:8d8895bc519ce787310586d03f030031ff9874e35db03cc84ac5dcf5d69a117d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<StopProjectMutation, StopProjectMutationVariables>;
export const RetryProjectDocument = {"__meta__":{"hash":"sha256:878cc14f08044b62de123c0be086c43f69e1b4c90be3cdc60cac5ef2cc116fb6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RetryProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RetryProject"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrySendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<RetryProjectMutation, RetryProjectMutationVariables>;
export const DeleteProjectDocument = {"__meta__":{"hash":"sha256:6580932ab55459f827cd6ab90aeea401ea212b8c735bc5e2e67d8378ab903466"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteProjectMutation, DeleteProjectMutationVariables>;
export const ProjectExportsDocument = {"__meta__":{"hash":"sha256:a7e9bc5f9e488fd6b9aa68ca9d051092c965f242d74f8879ff61f44ebe7d56cf"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectExports"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportLinks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"sendingProjectUuid"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"format"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectExportsQuery, ProjectExportsQueryVariables>;
export const StartExportDocument = {"__meta__":{"hash":"sha256:1518795b3ca804ad1ff4de8074223762db71309e8cd9d3053dd7e6470cd0fc44"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartExport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartExport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<StartExportMutation, StartExportMutationVariables>;
export const CancelExportDocument = {"__meta__":{"hash":"sha256:7b53757987ebdca512277b706be70669f540237e849a28714565812063d3f214"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelExport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<CancelExportMutation, CancelExportMutationVariables>;
export const DraftProjectDocument = {"__meta__":{"hash":"sha256:9ea1599bf7c449c6f0dd2779b3142f068a24a0ce3e47d882ba8ca1966d8e5e68"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DraftProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<DraftProjectQuery, DraftProjectQueryVariables>;
export const ProjectChoicesDocument = {"__meta__":{"hash":"sha256:e643b85e35822d9c263a446e87e9e9f8a8149a0e8044720c069f808f149eec14"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectChoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"driver"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecipientsPerProject"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectChoicesQuery, ProjectChoicesQueryVariables>;
export const CreateProjectDocument = {"__meta__":{"hash":"sha256:ddc9c41685bb52cb60165a155e95e109b61f1f6edb19e99c7d9f0d84d1dd6650"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSendingProject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<CreateProjectMutation, CreateProjectMutationVariables>;
export const UpdateProjectDocument = {"__meta__":{"hash":"sha256:b63ba7137e4dd503158a6e63ea01d837137ce16fa2dcc2976e16f57a04a3de58"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<UpdateProjectMutation, UpdateProjectMutationVariables>;
export const UploadListDocument = {"__meta__":{"hash":"sha256:165900374314d062b87b9149cff05a71effa1287c6cad20346fa16819ab821ea"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UploadList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"file"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Upload"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uploadFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"file"},"value":{"kind":"Variable","name":{"kind":"Name","value":"file"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}}]}}]} as unknown as DocumentNode<UploadListMutation, UploadListMutationVariables>;
export const PreviewListDocument = {"__meta__":{"hash":"sha256:c064b8ca4306efe1b8bb90ba325beb7ab530437c13c846d40a4960bde140345c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"format"}},{"kind":"Field","name":{"kind":"Name","value":"delimiter"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"header"}},{"kind":"Field","name":{"kind":"Name","value":"headerRow"}},{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"samples"}}]}},{"kind":"Field","name":{"kind":"Name","value":"mapping"}}]}}]}}]} as unknown as DocumentNode<PreviewListQuery, PreviewListQueryVariables>;
export const ImportListDocument = {"__meta__":{"hash":"sha256:c03467a6bffbc8bf19eb914ac1a56d11f6d8ceb1790ccb9a527506b670acc45b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ImportListMutation, ImportListMutationVariables>;
export const ImportTextDocument = {"__meta__":{"hash":"sha256:871f8376995ebf95062a06d25db22defa3547065b5c16f9d23e664de97e1b9a7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportText"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewTextImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importRecipientsFromText"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ImportTextMutation, ImportTextMutationVariables>;
export const OneImportDocument = {"__meta__":{"hash":"sha256:0e0495173c3406efc88340e6964570eba85b2237151773af696310b073206f4d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneImport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"}},{"kind":"Field","name":{"kind":"Name","value":"duplicates"}}]}}]}}]} as unknown as DocumentNode<OneImportQuery, OneImportQueryVariables>;
export const BadRowsDocument = {"__meta__":{"hash":"sha256:915af010edb287fbd25608af5e7c0770f9678f3c0751e75147275b9dfaf1f22e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BadRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"valid"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<BadRowsQuery, BadRowsQueryVariables>;
export const EarlierImportsDocument = {"__meta__":{"hash":"sha256:be794ec34d0545dbf07a40682c1736f6ba3e647b61a6ba2ac77aa327a7876db8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EarlierImports"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"ready"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<EarlierImportsQuery, EarlierImportsQueryVariables>;
export const AddListDocument = {"__meta__":{"hash":"sha256:f9c528038472895bd4ba2f2aaa6f65e0204f3da074932efbc0b7ec2ca96b5f55"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"project"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"list"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sendingProjectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"project"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"importUuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"list"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"}},{"kind":"Field","name":{"kind":"Name","value":"duplicates"}},{"kind":"Field","name":{"kind":"Name","value":"invalidCount"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"place"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pending"}}]}}]}}]} as unknown as DocumentNode<AddListMutation, AddListMutationVariables>;
export const PreviewTextDocument = {"__meta__":{"hash":"sha256:d79d1c45deaac4b0569685583b1c2db771d6a2ce93425fa43d08ad75452b8b08"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewText"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PreviewMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}},{"kind":"Field","name":{"kind":"Name","value":"missing"}},{"kind":"Field","name":{"kind":"Name","value":"characters"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<PreviewTextQuery, PreviewTextQueryVariables>;
export const SendTrialDocument = {"__meta__":{"hash":"sha256:794955d23b370cf4f42bcac814c186a80ecf98b921ce5f53589f4bd4c77c0e40"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendTrial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendTest"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendTestMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<SendTrialMutation, SendTrialMutationVariables>;
export const TimezonesDocument = {"__meta__":{"hash":"sha256:9cdf090b5c51e614c36cfdb3a06d6207e59dfdf2feb6702a570ac5b3e19665d6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Timezones"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezones"}}]}}]} as unknown as DocumentNode<TimezonesQuery, TimezonesQueryVariables>;
export const CountriesDocument = {"__meta__":{"hash":"sha256:514e0afcfbbc27b67fa08861213976622bd9d193a9f20351ab421023ead1f06b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Countries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"language"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"language"},"value":{"kind":"Variable","name":{"kind":"Name","value":"language"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"dialCode"}}]}}]}}]} as unknown as DocumentNode<CountriesQuery, CountriesQueryVariables>;
export const ProjectPlanDocument = {"__meta__":{"hash":"sha256:8e2323eaa3676e3ab37a50698d20891389eec49574c98df3467c30b254af8c1e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectPlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"changes"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PlannedChanges"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectPlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"changes"},"value":{"kind":"Variable","name":{"kind":"Name","value":"changes"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipients"}},{"kind":"Field","name":{"kind":"Name","value":"toSend"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"examined"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"missing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cost"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"atMost"}},{"kind":"Field","name":{"kind":"Name","value":"parts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"limitedBy"}},{"kind":"Field","name":{"kind":"Name","value":"leftToday"}},{"kind":"Field","name":{"kind":"Name","value":"beginsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectPlanQuery, ProjectPlanQueryVariables>;
export const RepeatableRowsDocument = {"__meta__":{"hash":"sha256:d26fc4adef0612ee3c8e104d86e59ec6dcc1e4e8ff284eb8d17e318f17357fef"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RepeatableRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableRowsQuery, RepeatableRowsQueryVariables>;
export const OneRepeatableDocument = {"__meta__":{"hash":"sha256:f625f7ea1cd167b381fcd5d99fdbbfb5b372b81100c1214f27a8de6937a3b6ba"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}},{"kind":"Field","name":{"kind":"Name","value":"nextRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"count"},"value":{"kind":"IntValue","value":"8"}}]},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<OneRepeatableQuery, OneRepeatableQueryVariables>;
export const StartRepeatableDocument = {"__meta__":{"hash":"sha256:87220b0768d2ec5a2ea989031257f229054549bdcf5ba16a8af431c62fbb28a2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<StartRepeatableMutation, StartRepeatableMutationVariables>;
export const StopRepeatableDocument = {"__meta__":{"hash":"sha256:aa9b99554b8742dc694a8e98c6906e694a8d10e9a93c22c36205d573beddef5e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<StopRepeatableMutation, StopRepeatableMutationVariables>;
export const DeleteRepeatableDocument = {"__meta__":{"hash":"sha256:d9d40a6f43bfa848392f929a13a49f6ccad0d4ecfb95d06db1142ea0b7884393"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteRepeatableMutation, DeleteRepeatableMutationVariables>;
export const ProjectToRepeatDocument = {"__meta__":{"hash":"sha256:798adac6f568ac214af90c5fbbbc42d875707cdfcdb8cb63ca1ddb54a37ca49a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectToRepeat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectToRepeatQuery, ProjectToRepeatQueryVariables>;
export const CreateRepeatableDocument = {"__meta__":{"hash":"sha256:4a31958162de5cddf6171db21b40a87ec9eeceb0fa3503f84df9e9a7fd6b52d0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewRepeatableProject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateRepeatableMutation, CreateRepeatableMutationVariables>;
export const RepeatableToEditDocument = {"__meta__":{"hash":"sha256:883f99b6cc6e73edeb33cc693f667c05e40b539daf818413b5cd2f00e097e10c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RepeatableToEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableToEditQuery, RepeatableToEditQueryVariables>;
export const UpdateRepeatableDocument = {"__meta__":{"hash":"sha256:5ffd49097454a6756ff50951e4de627834c31201cb0379ef5bd8dbc4836fff30"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatablePatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<UpdateRepeatableMutation, UpdateRepeatableMutationVariables>;
export const ViewerDocument = {"__meta__":{"hash":"sha256:e430fe6c126ec518ced45862208d7cab8a8b43c4bea8aee52d634d7be7e63948"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const LogoutEverywhereDocument = {"__meta__":{"hash":"sha256:52707447b420e68f4a0918465e15cadf17002137ecf83682995cbd21b0be795c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LogoutEverywhere"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logoutEverywhere"}}]}}]} as unknown as DocumentNode<LogoutEverywhereMutation, LogoutEverywhereMutationVariables>;