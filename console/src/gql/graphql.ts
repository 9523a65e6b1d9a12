/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Accepts an invitation and sets the password. */
export type AcceptInvitation = {
  /** display name */
  displayName?: string | null | undefined;
  /** password: any characters; longer is stronger */
  password: string;
  /** token of the invitation */
  token: string;
};

/** Accepts an invitation to act for an owner. */
export type AcceptMembership = {
  /** token of the invitation */
  token: string;
};

/** The fields of an account that a PATCH may contain. Read-only fields are accepted if they do not change. */
export type AccountPatch = {
  /** read-only; only ledger entries change it */
  balance?: number | string | null | undefined;
  /** read-only */
  createdAt?: string | null | undefined;
  /** ISO 4217 currency code */
  currency?: string | null | undefined;
  /** read-only */
  id?: string | null | undefined;
  /** display name */
  name?: string | null | undefined;
  /** uuid of the new owner; for administrators */
  ownerId?: string | null | undefined;
  /** the plan of the account */
  plan?: Plan | null | undefined;
};

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

/** Filter by included or excluded values. */
export type AccountStateFilter = {
  /** equal to this value */
  eq?: AccountState | null | undefined;
  /** equal to one of these values */
  in?: Array<AccountState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<AccountState> | null | undefined;
};

/** Filter for accounts. */
export type AccountWhere = {
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** ISO 4217 currency code */
  currency?: TextFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by plan */
  plan?: PlanFilter | null | undefined;
};

/** A column of addresses. */
export type AddressColumn = {
  /** the channel that reaches its addresses */
  channel: ProjectChannel;
  /** name of the column */
  column: string;
};

/** The reason for which a request is not allowed. */
export type AllowlistReason =
  /** the request has no `x-real-ip`: it did not come through the reverse proxy */
  | 'noHeader'
  /** the list does not have the address */
  | 'notListed'
  /** the request has more than one `x-real-ip` */
  | 'severalHeaders'
  /** `x-real-ip` is not one plain address */
  | 'unreadable';

/** The values of an API token that change; the others stay. */
export type ApiTokenPatch = {
  /** accounts that the token may charge; null: all of its user */
  accountIds?: Array<string> | null | undefined;
  /** time from which it is invalid, in the future; null: never */
  expiresAt?: string | null | undefined;
  /** label to recognise the token by */
  name?: string | null | undefined;
  /** networks from which the token may be used; null: all */
  networks?: Array<string> | null | undefined;
  /** permissions that the token has; null: all of its user */
  scopes?: Array<string> | null | undefined;
  /** the most that messages of the token may cost in a day (UTC), in each currency; null: no limit */
  spendPerDay?: number | string | null | undefined;
};

/** Filter for API tokens. */
export type ApiTokenWhere = {
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by whether they are revoked */
  revoked?: BooleanFilter | null | undefined;
};

/** By what an operation was called. */
export type AuditActorKind =
  /** the command line of the operator */
  | 'cli'
  /** a login of the web console */
  | 'console'
  /** a request to a delivery hook with a hook key */
  | 'hook_key'
  /** a request to a delivery hook, signed with a hook secret */
  | 'hook_secret'
  /** a provider */
  | 'provider'
  /** the service itself */
  | 'system'
  /** an API token */
  | 'token'
  /** a login */
  | 'user';

/** Filter for entries of the audit. */
export type AuditEntryWhere = {
  /** filter by the user who did it */
  actorId?: IdFilter | null | undefined;
  /** filter by time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by the id of the object */
  objectId?: TextFilter | null | undefined;
  /** filter by the kind of the object */
  objectType?: TextFilter | null | undefined;
  /** filter by operation */
  operation?: TextFilter | null | undefined;
  /** filter by the owner of the data */
  ownerId?: IdFilter | null | undefined;
  /** filter by result */
  result?: AuditResultFilter | null | undefined;
  /** filter by API token */
  tokenId?: IdFilter | null | undefined;
};

/** The result of an operation. */
export type AuditResult =
  /** the change was made */
  | 'done'
  /** the login, or the operation, was refused */
  | 'refused';

/** Filter by included or excluded values. */
export type AuditResultFilter = {
  /** equal to this value */
  eq?: AuditResult | null | undefined;
  /** equal to one of these values */
  in?: Array<AuditResult> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<AuditResult> | null | undefined;
};

/** A kind of work in the background, of which users take turns. */
export type BackgroundKind =
  /** recipients that are copied to the project of a recurring run */
  | 'copies'
  /** files that are written */
  | 'exports'
  /** lists that are read */
  | 'imports'
  /** messages that are made of recipients, queued again, or canceled */
  | 'preparations'
  /** imports that are added to projects as recipients */
  | 'recipients';

/** Addresses to block: the given ones, or those of an import, which may say a reason and a scope for each. */
export type BlockMany = {
  /** lines of the import up to this one are left out */
  afterLine?: number;
  /** uuid of an import that is ready. A request blocks 10,000 lines of it; send `nextLine` of the answer as `afterLine` until it is null. A line's variables `reason` and `scope` count for it */
  importUuid?: string | null | undefined;
  /** at most 1,000 addresses */
  phones?: Array<string> | null | undefined;
  /** default: `manual` for a new block, the current reason for an existing one */
  reason?: BlockReason | null | undefined;
  /** which messages the blocks stop; an existing scope can only be widened */
  scope?: BlockScope;
};

/** The reason and the scope of a block. */
export type BlockPhone = {
  /** default: `manual` for a new block, the current reason for an existing one */
  reason?: BlockReason | null | undefined;
  /** which messages the block stops; an existing scope can only be widened */
  scope?: BlockScope;
};

/** The reason for which a phone or an address is blocked. */
export type BlockReason =
  /** the recipient reported a message as spam */
  | 'complaint'
  /** the provider reports that the address does not exist */
  | 'hardBounce'
  /** blocked manually, or through the API */
  | 'manual'
  /** the recipient opted out by a stop word */
  | 'optOut'
  /** several emails came back: the block ends by itself */
  | 'softBounce'
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

/** The messages that a block stops. */
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
  /** filter by the phone or the email address, in any common notation */
  phone?: TextFilter | null | undefined;
  /** filter by reason */
  reason?: BlockReasonFilter | null | undefined;
  /** filter by scope */
  scope?: BlockScopeFilter | null | undefined;
  /** filter by a part of the phone or address */
  text?: SearchFilter | null | undefined;
};

/** Filter by true or false. */
export type BooleanFilter = {
  /** equal to this value */
  eq?: boolean | null | undefined;
};

/** The values of a canned answer that change; the others stay. */
export type CannedAnswerPatch = {
  /** what is typed after `/` to find it: one word, stored in lower case */
  shortcut?: string | null | undefined;
  /** text of the answer; `{{ name }}` stands for the name of the person, which the composer fills in */
  text?: string | null | undefined;
};

/** Filter for canned answers. */
export type CannedAnswerWhere = {
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by a part of the shortcut or of the text */
  text?: SearchFilter | null | undefined;
};

/** Changes the password of the calling user. */
export type ChangePassword = {
  /** the current password */
  currentPassword: string;
  /** password: any characters; longer is stronger */
  newPassword: string;
};

/** The kind of a chat, by the people who take part in it. */
export type ChatKind =
  /** a broadcast channel */
  | 'channel'
  /** a group chat */
  | 'group'
  /** a chat with one person */
  | 'user';

/** Filter by included or excluded values. */
export type ChatKindFilter = {
  /** equal to this value */
  eq?: ChatKind | null | undefined;
  /** equal to one of these values */
  in?: Array<ChatKind> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ChatKind> | null | undefined;
};

/** The values of a label that change; the others stay. */
export type ChatLabelPatch = {
  /** color of the label */
  color?: LabelColor | null | undefined;
  /** name of the label */
  name?: string | null | undefined;
};

/** The progress of an outgoing message, in the vendor API's words; `server` is one tick, `has_seen` means read. */
export type ChatMessageStatus =
  /** delivered to the recipient's device: two ticks */
  | 'delivered'
  /** failed; it will not be delivered */
  | 'errored'
  /** read by the recipient */
  | 'has_seen'
  /** not yet accepted by the messenger */
  | 'pending'
  /** accepted by the messenger: one tick */
  | 'server';

/** The state of a chat: it is open until it is closed, and a message that comes in opens it again. */
export type ChatState =
  /** closed by a person; a message that comes in opens it again */
  | 'closed'
  /** it waits for an answer, or for the other side */
  | 'open';

/** Filter by included or excluded values. */
export type ChatStateFilter = {
  /** equal to this value */
  eq?: ChatState | null | undefined;
  /** equal to one of these values */
  in?: Array<ChatState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ChatState> | null | undefined;
};

/** The state of what was looked at. */
export type CheckState =
  /** it must be corrected */
  | 'error'
  /** it is well */
  | 'ok'
  /** the DNS gave no answer */
  | 'unknown'
  /** emails arrive, but not everywhere */
  | 'warning';

/** The part of the DNS that a finding is about. */
export type CheckTopic =
  /** whether bounces come to the same organization, as DMARC wants */
  | 'alignment'
  /** the public key of a signature */
  | 'dkim'
  /** the policy for emails that can't be verified */
  | 'dmarc'
  /** the DNS itself */
  | 'dns'
  /** the name by which Postern greets the mail server */
  | 'helo'
  /** the server that takes bounces */
  | 'mx'
  /** the name of the mail server's address */
  | 'ptr'
  /** whether the mail server may send for the domain of the envelope sender */
  | 'spf';

/** The share of complaints, compared with the limits that large providers publish. */
export type ComplaintLevel =
  /** from 0.3 %: emails may be refused */
  | 'bad'
  /** below 0.1 % */
  | 'ok'
  /** from 0.1 %: emails may be put into the spam folder */
  | 'warning';

/** An event in the life of a subscription. */
export type ConsentAction =
  /** the person was asked to confirm it */
  | 'asked'
  /** the person has confirmed it, or asked for it on their own page */
  | 'confirmed'
  /** the person did not confirm it in time */
  | 'expired'
  /** its owner has recorded it for the person */
  | 'recorded'
  /** it was withdrawn */
  | 'withdrawn';

/** Filter by included or excluded values. */
export type ConsentActionFilter = {
  /** equal to this value */
  eq?: ConsentAction | null | undefined;
  /** equal to one of these values */
  in?: Array<ConsentAction> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ConsentAction> | null | undefined;
};

/** Filter for what has happened to subscriptions. */
export type ConsentEntryWhere = {
  /** filter by what has happened */
  action?: ConsentActionFilter | null | undefined;
  /** filter by contact */
  contactId?: IdFilter | null | undefined;
  /** filter by time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by topic */
  topicId?: IdFilter | null | undefined;
};

/** The place where something has happened to a subscription. */
export type ConsentSource =
  /** a request of the owner */
  | 'api'
  /** a sign-up form */
  | 'form'
  /** an import */
  | 'import_'
  /** another contact was merged into this one */
  | 'merge'
  /** the person's page of preferences, or the page that asks for a confirmation */
  | 'page'
  /** the service, since time ran out */
  | 'service'
  /** the unsubscribe link of a message */
  | 'unsubscribeLink';

/** A condition on a field of contacts; all comparisons that are given must hold. */
export type ContactFieldCondition = {
  /** equal to this value; of a list: it has this text */
  eq?: unknown;
  /** number or day after this one */
  gt?: unknown;
  /** number or day not before this one */
  gte?: unknown;
  /** equal to one of these values; of a list: it has one */
  in?: Array<unknown> | null | undefined;
  /** day that comes round in so many days, in any year; 29 February counts as 28 February in common years, and today is that of the contact's time zone */
  inDays?: number | null | undefined;
  /** whether the field has a value */
  isSet?: boolean | null | undefined;
  /** name of the field: letters, digits and _, beginning with a letter */
  key: string;
  /** number or day before this one */
  lt?: unknown;
  /** number or day not after this one */
  lte?: unknown;
  /** equal to none of these values; also if the field has no value */
  notIn?: Array<unknown> | null | undefined;
  /** day that comes round from today until so many days later */
  withinDays?: number | null | undefined;
};

/** Type of a field's values. */
export type ContactFieldType =
  /** true or false */
  | 'bool'
  /** a day, as 2027-01-31 */
  | 'date'
  /** at most 50 texts of at most 200 characters each */
  | 'list'
  /** a number */
  | 'number'
  /** a text of at most 1,000 characters */
  | 'text';

/** The columns of a list: external id, name, addresses and fields. Other columns are ignored. */
export type ContactMapping = {
  /** columns of addresses; several may be of one channel, and the first is its first choice */
  addresses?: Array<AddressColumn> | null | undefined;
  /** column of ids in your own system */
  externalId?: string | null | undefined;
  /** key of a field to column */
  fields?: unknown;
  /** column of language tags */
  locale?: string | null | undefined;
  /** column of names */
  name?: string | null | undefined;
  /** column that says who may be written to: listmonk's status, Mailchimp's UNSUB_TIME or CLEAN_TIME, or words such as subscribed, unsubscribed, bounced and complained */
  status?: string | null | undefined;
  /** column of IANA time zones */
  timezone?: string | null | undefined;
};

/** Sort order of contacts. */
export type ContactOrder = {
  /** sort direction */
  direction?: SortDirection;
  /** sort key */
  field?: ContactSort;
};

/** The values of a contact that change; the others stay. */
export type ContactPatch = {
  /** all addresses: those that are not among them are removed */
  addresses?: Array<NewContactAddress> | null | undefined;
  /** id in your own system */
  externalId?: string | null | undefined;
  /** values of fields by their keys; a field that is left out stays, and null removes it */
  fields?: unknown;
  /** language tag (BCP 47): language of the page on which recipients unsubscribe from this user's messages */
  locale?: string | null | undefined;
  /** name */
  name?: string | null | undefined;
  /** IANA time zone */
  timezone?: string | null | undefined;
};

/** Sort key of contacts. */
export type ContactSort =
  /** time of creation */
  | 'createdAt'
  /** by name, compared character by character */
  | 'name'
  /** time of the last change */
  | 'updatedAt';

/** Filter for contacts. */
export type ContactWhere = {
  /** filter by an address, in any common notation */
  address?: TextFilter | null | undefined;
  /** filter by the channels that reach them */
  channel?: ProjectChannelFilter | null | undefined;
  /** filter by the time of creation */
  createdAt?: TimeFilter | null | undefined;
  /** filter by the id in your own system */
  externalId?: TextFilter | null | undefined;
  /** conditions on fields, all of which must hold */
  fields?: Array<ContactFieldCondition> | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by the language tag */
  locale?: TextFilter | null | undefined;
  /** filter by words of the name, or by how they begin */
  name?: SearchFilter | null | undefined;
  /** the owner; administrators name one, else they get their own contacts */
  ownerId?: IdFilter | null | undefined;
};

/** Type of a message's content. */
export type ContentKind =
  /** an audio file, played like music */
  | 'audio'
  /** any file, shown as a download */
  | 'file'
  /** an image */
  | 'image'
  /** a video */
  | 'video'
  /** a voice message */
  | 'voice';

/** The cap that was reached. */
export type CountryCap =
  /** the most SMS to one country in a day */
  | 'day'
  /** the most SMS to one country in an hour */
  | 'hour';

/** The part of the rules that refuses an SMS. */
export type CountryRefusal =
  /** the cap of the day is reached */
  | 'day'
  /** the cap of the hour is reached */
  | 'hour'
  /** the installation's lists do not allow the country */
  | 'installation'
  /** the user's lists do not allow the country */
  | 'user';

/** Says whose rule is set. */
export type CountryRuleScope =
  /** the installation's, which holds for all users; for administrators */
  | 'installation'
  /** a user's */
  | 'user';

/** A kind of credential that a member can make for an owner. */
export type CredentialKind =
  /** an API token, with the logins that were opened with it */
  | 'api_token'
  /** an event sink */
  | 'event_sink'
  /** an export that is not finished */
  | 'export'
  /** a key that engines send in the URL */
  | 'hook_key'
  /** a secret that engines sign their requests with */
  | 'hook_secret'
  /** a webhook of a messenger account */
  | 'messenger_webhook'
  /** a webhook of the event feed */
  | 'webhook';

/** A credit: money that an administrator adds to an account. */
export type Credit = {
  /** the account to credit */
  accountId: string;
  /** amount in the account's currency */
  amount: number | string;
  /** reason for the credit, kept in the ledger */
  note?: string | null | undefined;
};

/** One setting to delete. */
export type DeleteSetting = {
  /** the account, with scope account; default: your oldest account */
  accountId?: string | null | undefined;
  /** dotted name of the setting */
  key: string;
  /** whose settings */
  scope?: Scope;
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

/** The state of a domain of emails. */
export type DomainStatus =
  /** its record has been gone for a week, and nothing is sent from it */
  | 'expired'
  /** its record is gone; emails are still sent from it for a week */
  | 'lost'
  /** its record has not been seen in the DNS yet, and nothing is sent from it */
  | 'pending'
  /** emails may be sent from it */
  | 'verified';

/** Filter for domains. */
export type DomainWhere = {
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by a part of the name */
  name?: SearchFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
};

/** The parts of a copy beside the settings, texts and files of the project. */
export type DuplicateProject = {
  /** display name */
  name?: string | null | undefined;
  /** true: also the recipients, of whom there may be 50,000; false: none */
  recipients?: boolean;
};

/** The reason for which a balance changed. */
export type EntryKind =
  /** the price of a message */
  | 'charge'
  /** money added by an administrator */
  | 'credit'
  /** the refund of a failed message's price */
  | 'refund';

/** Filter by included or excluded values. */
export type EntryKindFilter = {
  /** equal to this value */
  eq?: EntryKind | null | undefined;
  /** equal to one of these values */
  in?: Array<EntryKind> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<EntryKind> | null | undefined;
};

/** The person who is to be erased. */
export type ErasePerson = {
  /** an address of the person; if a contact has it, the person is that contact with all its addresses */
  address?: string | null | undefined;
  /** channel of `address` */
  channel?: ProjectChannel | null | undefined;
  /** uuid of the contact */
  contactUuid?: string | null | undefined;
};

/** State of an erasure. */
export type ErasureState =
  /** nothing of the person is left but what `notErased` names */
  | 'done'
  /** rows are being erased; nothing is sent to the person */
  | 'running';

/** Filter by included or excluded values. */
export type ErasureStateFilter = {
  /** equal to this value */
  eq?: ErasureState | null | undefined;
  /** equal to one of these values */
  in?: Array<ErasureState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ErasureState> | null | undefined;
};

/** Filter for erasures. */
export type ErasureWhere = {
  /** filter by the time of the request */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by state */
  state?: ErasureStateFilter | null | undefined;
};

/** Kind of broker that a sink publishes to. */
export type EventSinkKind =
  /** a stream of NATS JetStream */
  | 'nats';

/** Changes to a sink. Omitted fields stay unchanged. */
export type EventSinkPatch = {
  /** text of a credentials file of NATS (a JWT and the seed of its NKey), or the seed of an NKey alone; it is stored encrypted, and never shown */
  credentials?: string | null | undefined;
  /** seconds for which a stream that the sink makes knows the ids of its events, and drops those that come again */
  duplicateWindowSeconds?: number | null | undefined;
  /** false: nothing is published; the feed keeps the events for as long as it keeps any; true: the waits after failures end, and it is tried at once */
  enabled?: boolean | null | undefined;
  /** whether the stream is made if it does not exist; a stream that exists is never changed */
  makeStream?: boolean | null | undefined;
  /** name of the sink; each of yours has another one */
  name?: string | null | undefined;
  /** a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the body of each event; null: the documented shape; a sink of the whole installation has none */
  query?: string | null | undefined;
  /** number of servers that store a stream which the sink makes; a single server allows only 1 */
  replicas?: number | null | undefined;
  /** name of the stream that stores the events */
  stream?: string | null | undefined;
  /** subject of each event; `{owner}` becomes the id of the owner, `{type}` the type of the event, `{subject}` the kind of object that it is about */
  subject?: string | null | undefined;
  /** types of events to send, as docs/events.md lists them; empty: all */
  types?: Array<string> | null | undefined;
  /** address of a server, as in a new sink; with another one the stored credentials are deleted, so write them again */
  url?: string | null | undefined;
};

/** Selects the events that are published again: those behind a cursor, or from a time on. Give one of the two. */
export type EventSinkReplay = {
  /** opaque position in the feed */
  after?: string | null | undefined;
  /** events from this time (`at`) on; the feed keeps them for some days */
  since?: string | null | undefined;
  /** only these types; null: those of the sink */
  types?: Array<string> | null | undefined;
};

/** The format of the exported file. */
export type ExportFormat =
  /** comma-separated values (RFC 4180) */
  | 'csv'
  /** one JSON object on each line */
  | 'ndjson'
  /** an Excel spreadsheet */
  | 'xlsx';

/** Filter by included or excluded values. */
export type ExportFormatFilter = {
  /** equal to this value */
  eq?: ExportFormat | null | undefined;
  /** equal to one of these values */
  in?: Array<ExportFormat> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ExportFormat> | null | undefined;
};

/** Filter for export links. */
export type ExportLinkWhere = {
  /** filter by the contact of an export of a person */
  contactId?: IdFilter | null | undefined;
  /** filter by the time of their start */
  createdAt?: TimeFilter | null | undefined;
  /** filter by exported file */
  fileUuid?: IdFilter | null | undefined;
  /** filter by format */
  format?: ExportFormatFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by project */
  sendingProjectUuid?: IdFilter | null | undefined;
  /** filter by source */
  source?: TextFilter | null | undefined;
  /** filter by status */
  status?: ExportStatusFilter | null | undefined;
};

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

/** Filter by included or excluded values. */
export type ExportStatusFilter = {
  /** equal to this value */
  eq?: ExportStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<ExportStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<ExportStatus> | null | undefined;
};

/** Sort order of files. */
export type FileOrder = {
  /** sort direction */
  direction?: SortDirection;
  /** sort key */
  field?: FileSort;
};

/** Sort keys of files. */
export type FileSort =
  /** time of creation */
  | 'createdAt'
  /** by name, compared character by character */
  | 'name'
  /** by size in bytes */
  | 'size';

/** Filter for files. */
export type FileWhere = {
  /** filter by the time of the upload */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by media type */
  mime?: TextFilter | null | undefined;
  /** filter by a part of the name */
  name?: SearchFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by SHA-256 hash, in hexadecimal */
  sha256?: TextFilter | null | undefined;
};

/** The severity of a finding. */
export type FindingSeverity =
  /** a problem that must be corrected */
  | 'error'
  /** all is well */
  | 'ok'
  /** worth knowing */
  | 'warning';

/** Makes the first administrator with the one-time link that `postern serve` has printed. */
export type FirstUser = {
  /** display name */
  displayName?: string | null | undefined;
  /** an email address */
  email: string;
  /** password: any characters; longer is stronger */
  password: string;
  /** the part of the link behind the `#` */
  token: string;
};

/** A request for texts: the topic, and the form in which to write about it. */
export type GenerateText = {
  /** language tag (BCP 47) */
  language?: string | null | undefined;
  /** maximum length of each text, in characters */
  maxLength?: number | null | undefined;
  /** description of the text to generate */
  prompt: string;
  /** uuid of a project; its name, channel and text are given to the model as context */
  sendingProjectUuid?: string | null | undefined;
  /** tone of the text */
  tone?: string | null | undefined;
  /** number of texts to generate */
  variants?: number;
};

/** The credential by which an engine authenticates its requests. */
export type HookCredential =
  /** a key that the engine sends in the URL */
  | 'key'
  /** a secret that the engine signs its requests with */
  | 'secret';

/** Filter by included or excluded values. */
export type HookCredentialFilter = {
  /** equal to this value */
  eq?: HookCredential | null | undefined;
  /** equal to one of these values */
  in?: Array<HookCredential> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<HookCredential> | null | undefined;
};

/** Filter for hook secrets and keys. */
export type HookSecretWhere = {
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by kind: secrets or keys */
  kind?: HookCredentialFilter | null | undefined;
  /** filter by whether they are revoked */
  revoked?: BooleanFilter | null | undefined;
};

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

/** The topics to which the contacts of a list are subscribed. A contact that has withdrawn one stays withdrawn. Contacts whose status is another than active are not subscribed; those who have left are withdrawn from them. */
export type ImportSubscription = {
  /** channel of the subscriptions; contacts without an address of it are left out */
  channel: ProjectChannel;
  /** where you have the proof that these people want it; it is kept as theirs */
  evidence: string;
  /** uuids of topics, at most 10 */
  topicUuids: Array<string>;
};

/** Length of an interval of statistics, in the calendar of the time zone. */
export type Interval =
  /** one day */
  | 'day'
  /** one hour */
  | 'hour'
  /** one month */
  | 'month'
  /** a quarter of an hour */
  | 'quarterHour'
  /** one week, starting on Monday */
  | 'week';

/** A user to invite. */
export type Invite = {
  /** display name */
  displayName?: string | null | undefined;
  /** an email address */
  email: string;
  /** roles of the user */
  roles?: Array<Role> | null | undefined;
};

/** The color of a label; the console has a light and a dark shade of each. */
export type LabelColor =
  /** shown in blue */
  | 'blue'
  /** shown in gray */
  | 'gray'
  /** shown in green */
  | 'green'
  /** shown in orange */
  | 'orange'
  /** shown in pink */
  | 'pink'
  /** shown in red */
  | 'red'
  /** shown in teal */
  | 'teal'
  /** shown in violet */
  | 'violet'
  /** shown in yellow */
  | 'yellow';

/** The filter of a list of balance movements. */
export type LedgerWhere = {
  /** filter by the time of the movement */
  createdAt?: TimeFilter | null | undefined;
  /** true: of each project's entries only the newest, which stands for all of them */
  grouped?: BooleanFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by kind */
  kind?: EntryKindFilter | null | undefined;
  /** filter by project */
  projectId?: IdFilter | null | undefined;
};

/** The subject of a bounce or a delay, which decides whether it counts against the address. */
export type MailReportClass =
  /** this email was refused, for its size or content: it never counts against the address */
  | 'content'
  /** the mailbox is full */
  | 'full'
  /** the address does not exist: it is blocked */
  | 'hard'
  /** the sender, its server or domain was refused: it never counts against the address */
  | 'policy'
  /** a network, a server or a limit failed for a while */
  | 'transient'
  /** the report does not say why */
  | 'unknown';

/** The reason for which a mail is no report that counts. */
export type MailReportIgnored =
  /** an answer of the recipient's program, such as a holiday notice */
  | 'auto_reply'
  /** a report of a delivery that succeeded */
  | 'no_failure'
  /** neither a bounce nor a complaint */
  | 'no_report'
  /** feedback about signatures, and no complaint */
  | 'other_feedback'
  /** a report about a mail that was itself a report */
  | 'report_of_a_report'
  /** reading it takes too long */
  | 'too_complex'
  /** more parts, or deeper ones, than a report has */
  | 'too_many_parts';

/** The effect of a report on the state of its message. */
export type MailReportOutcome =
  /** the message becomes `failed`, and its price is refunded */
  | 'fails'
  /** the report changes no state: it is a delay, a complaint or the opposite of one */
  | 'none'
  /** the message arrived or ended before: its state and its price stay */
  | 'stays'
  /** the message is not sent yet: the report waits for that */
  | 'waits';

/** The kind of a report about an email. */
export type MailReportType =
  /** the email was not delivered, and will not be tried again */
  | 'bounce'
  /** the recipient reported the email as spam */
  | 'complaint'
  /** the email was not delivered yet, and will be tried again */
  | 'delay'
  /** the recipient says that the email is no spam */
  | 'rescue';

/** The values of a member that change, the others stay; and what becomes of credentials that the member has made and may not make any more. */
export type MemberPatch = {
  /** true: hook secrets and hook keys that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepHookSecrets?: boolean | null | undefined;
  /** true: API tokens that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepTokens?: boolean | null | undefined;
  /** true: webhooks and event sinks that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepWebhooks?: boolean | null | undefined;
  /** permissions instead of those of the role; null: those of the role */
  permissions?: Array<string> | null | undefined;
  /** what the member may do */
  role?: MemberRole | null | undefined;
};

/** Says what becomes of the credentials that a removed member has made. */
export type MemberRemoval = {
  /** true: hook secrets and hook keys that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepHookSecrets?: boolean | null | undefined;
  /** true: API tokens that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepTokens?: boolean | null | undefined;
  /** true: webhooks and event sinks that the member made and may not make any more become your own; false: they end; null: they end, unless one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use` */
  keepWebhooks?: boolean | null | undefined;
};

/** Says what a member may do for the owner. */
export type MemberRole =
  /** see accounts, ledgers, statistics and prices */
  | 'billing'
  /** make projects, recipients, blocks and exports; start nothing */
  | 'editor'
  /** everything but the owner's user, accounts, and members */
  | 'manager'
  /** start, stop and repeat projects; edit nothing */
  | 'sender'
  /** the inbox, messenger accounts' chats, and single messages; no projects, no exports */
  | 'support'
  /** see projects, their counts, statistics and prices; no recipients, no messages */
  | 'viewer';

/** The contact that goes into another one. */
export type MergeContact = {
  /** uuid of the contact whose addresses and fields go to the one that is kept; it is deleted then */
  otherUuid: string;
};

/** Purpose of a message. A block of scope `promotional` stops only promotional messages. */
export type MessageCategory =
  /** advertising; not sent to recipients who unsubscribed */
  | 'promotional'
  /** messages that the recipient needs, such as codes and invoices */
  | 'transactional';

/** Filter by included or excluded values. */
export type MessageCategoryFilter = {
  /** equal to this value */
  eq?: MessageCategory | null | undefined;
  /** equal to one of these values */
  in?: Array<MessageCategory> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<MessageCategory> | null | undefined;
};

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
  /** not delivered, for certain, and refunded, unless `reportedBy` is `hook` */
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
  /** the user who sent them, or who received the reply */
  ownerId?: IdFilter | null | undefined;
  /** filter by status */
  status?: MessageStatusFilter | null | undefined;
  /** filter by recipient, in the channel's format */
  to?: TextFilter | null | undefined;
  /** filter by the time of the last change */
  updatedAt?: TimeFilter | null | undefined;
};

/** Changes to a messenger account. Fields that are omitted or null stay unchanged. An empty `webhookUrls` removes all webhooks; an empty `proxyString` removes the proxy. */
export type MessengerAccountPatch = {
  /** all credentials of the driver whatsapp-cloud; a connected account reconnects with them */
  credentials?: WhatsAppCloudCredentials | null | undefined;
  /** display name */
  name?: string | null | undefined;
  /** proxy URL; it can be changed only while the account is stopped */
  proxyString?: string | null | undefined;
  /** the complete new list of webhook URLs */
  webhookUrls?: Array<string> | null | undefined;
};

/** Filter for messenger accounts. */
export type MessengerAccountWhere = {
  /** filter by the time at which they were added */
  createdAt?: TimeFilter | null | undefined;
  /** filter by driver */
  driver?: MessengerDriverFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by login */
  login?: TextFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** messenger of the account */
  source?: MessengerSourceFilter | null | undefined;
  /** filter by current state */
  state?: AccountStateFilter | null | undefined;
  /** filter by a part of the login, the name or the phone */
  text?: SearchFilter | null | undefined;
  /** filter by whether the owner has switched them on */
  wanted?: BooleanFilter | null | undefined;
};

/** Filter for chats. */
export type MessengerChatWhere = {
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by kind */
  kind?: ChatKindFilter | null | undefined;
  /** only chats with this label, or with one of these */
  label?: IdFilter | null | undefined;
  /** filter by the time of the newest message */
  lastAt?: TimeFilter | null | undefined;
  /** filter by whether they are open or closed */
  state?: ChatStateFilter | null | undefined;
  /** filter by a part of the name, the phone or the username */
  text?: SearchFilter | null | undefined;
  /** filter by whether they have unread messages */
  unread?: BooleanFilter | null | undefined;
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

/** Filter by included or excluded values. */
export type MessengerDriverFilter = {
  /** equal to this value */
  eq?: MessengerDriver | null | undefined;
  /** equal to one of these values */
  in?: Array<MessengerDriver> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<MessengerDriver> | null | undefined;
};

/** The chat in which the indicator is shown, and the time for which it is shown. */
export type MessengerPresence = {
  /** duration in seconds; sending a message ends it earlier */
  seconds?: number;
  /** a phone in international format, with or without +; a @username; or a thread of the account */
  to: string;
};

/** The messenger. */
export type MessengerSource =
  /** Telegram */
  | 'telegram'
  /** WhatsApp */
  | 'whatsapp';

/** Filter by included or excluded values. */
export type MessengerSourceFilter = {
  /** equal to this value */
  eq?: MessengerSource | null | undefined;
  /** equal to one of these values */
  in?: Array<MessengerSource> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<MessengerSource> | null | undefined;
};

/** The rule for runs that were missed because no worker could start them in time. */
export type Misfire =
  /** one run is made for all missed ones */
  | 'one'
  /** missed runs are skipped */
  | 'skip';

/** An account to create. */
export type NewAccount = {
  /** ISO 4217 currency code */
  currency?: string;
  /** display name */
  name: string;
  /** the plan of the account */
  plan?: Plan;
};

/** An API token to create. */
export type NewApiToken = {
  /** accounts that the token may charge; a message without `accountId` is paid by the only one */
  accountIds?: Array<string> | null | undefined;
  /** time from which it is invalid, in the future; default: it does not expire */
  expiresAt?: string | null | undefined;
  /** label to recognise the token by */
  name: string;
  /** networks (CIDR) from which the token may be used; at the widest /8 or, of IPv6, /32 */
  networks?: Array<string> | null | undefined;
  /** your password; needed only in the 72 hours after a change of your email */
  password?: string | null | undefined;
  /** a set of permissions, in place of `scopes`. Default: all permissions of the user */
  preset?: TokenPreset | null | undefined;
  /** permissions that the token has, of those of its user: `GET /permissions` lists them */
  scopes?: Array<string> | null | undefined;
  /** the most that messages of the token may cost in a day (UTC), in each currency; a refund gives nothing back. Default: no limit. It needs `scopes` without projects:send, projects:write and recipients:write, since projects pay later */
  spendPerDay?: number | string | null | undefined;
};

/** The values of a new canned answer. */
export type NewCannedAnswer = {
  /** what is typed after `/` to find it: one word, stored in lower case */
  shortcut: string;
  /** text of the answer; `{{ name }}` stands for the name of the person, which the composer fills in */
  text: string;
};

/** The values of a new label. */
export type NewChatLabel = {
  /** color of the label */
  color?: LabelColor;
  /** name of the label */
  name: string;
};

/** An address of a contact, in any common notation. */
export type NewContactAddress = {
  /** the address */
  address: string;
  /** the channel that reaches it */
  channel: ProjectChannel;
  /** true: it becomes the first choice of its channel, as the first address of a channel is anyway */
  primary?: boolean | null | undefined;
  /** when the person has proved that it is theirs */
  verifiedAt?: string | null | undefined;
};

/** The values of a new field. */
export type NewContactField = {
  /** name of the field: letters, digits and _, beginning with a letter */
  key: string;
  /** name of the field for people */
  label?: string | null | undefined;
  /** regular expression that texts of the field must match, without look-around and backreferences */
  pattern?: string | null | undefined;
  /** type of its values; it can't be changed later */
  type: ContactFieldType;
};

/** A list of contacts: as rows, or as an uploaded file. */
export type NewContactImport = {
  /** true: adds fields that you do not have, with the type of the first rows' values */
  createFields?: boolean;
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
  /** which column is what; without it, the names and contents of the columns decide */
  mapping?: ContactMapping | null | undefined;
  /** ISO 3166-1 country of phones that are written without + */
  region?: string | null | undefined;
  /** rows as objects, whose keys are the columns */
  rows?: Array<unknown> | null | undefined;
  /** topics to which the contacts are subscribed; null: none */
  subscribe?: ImportSubscription | null | undefined;
};

/** The values of a new domain. */
export type NewDomain = {
  /** a domain of emails, such as example.com */
  name: string;
};

/** A sink of your event feed. It publishes what happens from now on. */
export type NewEventSink = {
  /** text of a credentials file of NATS (a JWT and the seed of its NKey), or the seed of an NKey alone; it is stored encrypted, and never shown */
  credentials?: string | null | undefined;
  /** seconds for which a stream that the sink makes knows the ids of its events, and drops those that come again */
  duplicateWindowSeconds?: number;
  /** kind of broker */
  kind?: EventSinkKind;
  /** whether the stream is made if it does not exist; a stream that exists is never changed */
  makeStream?: boolean;
  /** name of the sink; each of yours has another one */
  name: string;
  /** a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the body of each event; null: the documented shape; a sink of the whole installation has none */
  query?: string | null | undefined;
  /** number of servers that store a stream which the sink makes; a single server allows only 1 */
  replicas?: number;
  /** name of the stream that stores the events */
  stream: string;
  /** subject of each event; `{owner}` becomes the id of the owner, `{type}` the type of the event, `{subject}` the kind of object that it is about */
  subject?: string;
  /** types of events to send, as docs/events.md lists them; empty: all */
  types?: Array<string> | null | undefined;
  /** address of a server, or of several with commas between: `nats://` or, with TLS, `tls://`; it may have a user and a password, or a token; it is stored encrypted, and shown without them */
  url: string;
  /** true: it publishes the events of all users, whose feeds are recorded for it; only administrators make such a sink */
  wholeInstallation?: boolean;
};

/** A webhook of your event feed. It receives what happens from now on. */
export type NewEventWebhook = {
  /** the most events of one request; from 2 on, a body is `{"events": […]}` with one event or more */
  batch?: number;
  /** only events of this messenger account; null: of all */
  messengerAccountUuid?: string | null | undefined;
  /** only events that this account pays for; null: all events */
  payingAccountId?: string | null | undefined;
  /** a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the body of each event; null: the documented shape */
  query?: string | null | undefined;
  /** signing secret: whsec_ and the base64 of 24 to 64 random bytes (Standard Webhooks); default: a generated one */
  secret?: string | null | undefined;
  /** only events of this project; null: of all */
  sendingProjectUuid?: string | null | undefined;
  /** types of events to send, as docs/events.md lists them; empty: all */
  types?: Array<string> | null | undefined;
  /** a public http(s) URL; events are posted to it as JSON */
  url: string;
};

/** A list of recipients: as rows, or as an uploaded file. */
export type NewImport = {
  /** channel of the project that the list is for; rows with an address that it can't reach are invalid (`wrong_channel`). Without it the channel is checked when the rows are added to a project */
  channel?: ProjectChannel | null | undefined;
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

/** A person to invite. */
export type NewMember = {
  /** email of the person's user, who accepts the invitation */
  email: string;
  /** permissions instead of those of the role, as GET /permissions names them */
  permissions?: Array<string> | null | undefined;
  /** what the member may do */
  role: MemberRole;
};

/** A messenger account to add. It is connected only after it is started. */
export type NewMessengerAccount = {
  /** credentials of the driver whatsapp-cloud, which requires them */
  credentials?: WhatsAppCloudCredentials | null | undefined;
  /** one of the drivers that are enabled for the source; null: the default driver */
  driver?: MessengerDriver | null | undefined;
  /** name of the account, chosen by its owner */
  login: string;
  /** display name; default: the login */
  name?: string | null | undefined;
  /** socks5://user:password@host:port, socks4://… or http://…; empty: no proxy */
  proxyString?: string | null | undefined;
  /** messenger of the account */
  source: MessengerSource;
  /** URLs of webhooks that receive all events of the account */
  webhookUrls?: Array<string> | null | undefined;
};

/** A document to set. It replaces the document of that name. Top-level keys with the value null are dropped; `{}` deletes the document. */
export type NewMessengerConfig = {
  /** the new document, which replaces the old one; top-level keys with the value null are dropped, and an empty object deletes it */
  config: unknown;
  /** name of the document; the service itself reads only `default`, all other names are free for your use */
  name?: string;
};

/** A file or media item to send with a message. */
export type NewMessengerContent = {
  /** file name to show to the recipient */
  filename?: string | null | undefined;
  /** a public http(s) URL, a data: URL, or file:<uuid> of a file that you uploaded; at most 50 MiB */
  src: string;
  /** type of the content: how it is displayed */
  type: ContentKind;
};

/** A message to send: a text, content, or both. */
export type NewMessengerMessage = {
  /** files or media items */
  content?: Array<NewMessengerContent> | null | undefined;
  /** makes a request safe to repeat: the same key with the same message sends it only once */
  idempotencyKey?: string | null | undefined;
  /** item of the message to reply to */
  replyTo?: string | null | undefined;
  /** text of the message */
  text?: string;
  /** a phone in international format, with or without +; a @username; or a thread of the account */
  to: string;
};

/** Sets a new password with the token of such a link. */
export type NewPassword = {
  /** password: any characters; longer is stronger */
  password: string;
  /** the part of the link behind the `#` */
  token: string;
};

/** A price of a new version. */
export type NewPrice = {
  /** channel of the messages */
  channel?: PricedChannel;
  /** what the provider takes for it */
  cost?: number | string | null | undefined;
  /** the digits with which the numbers begin, calling code included */
  prefix: string;
  /** price of a message, or of each part of an SMS */
  price: number | string;
};

/** The values of a new price list. Its prices come with its first version. */
export type NewPriceList = {
  /** ISO 4217 currency code */
  currency: string;
  /** name of the list, which no other list has */
  name: string;
  /** true: a message to a number without a row is refused (`no_price`), and skipped in a project; false: it costs what the tariff says for its channel */
  strict?: boolean;
};

/** The prices of a new version: `fileUuid` or `prices`. */
export type NewPriceListVersion = {
  /** one of your files: CSV, a spreadsheet or JSON with the columns `prefix`, `price`, and optionally `cost` and `channel` (default: sms); at most 200,000 rows */
  fileUuid?: string | null | undefined;
  /** the prices themselves */
  prices?: Array<NewPrice> | null | undefined;
  /** when they begin to hold; default: at once */
  validFrom?: string | null | undefined;
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

/** The values of a new segment. */
export type NewSegment = {
  /** the conditions by which contacts belong to it */
  filter: SegmentFilter;
  /** name, unique among yours */
  name: string;
};

/** A sender to ask for. */
export type NewSender = {
  /** the countries that it serves, ISO 3166-1 with two letters; empty: all */
  countries?: Array<string> | null | undefined;
  /** what it is */
  kind: SenderKind;
  /** the sender, as recipients will see it */
  value: string;
};

/** A project to create. Its texts can be added later, by PATCH; it sends nothing before it is started. */
export type NewSendingProject = {
  /** the account that pays; default: your oldest account */
  accountId?: string | null | undefined;
  /** uuids of the source accounts to send from */
  accountUuids?: Array<string> | null | undefined;
  /** uuids of files to attach */
  attachmentUuids?: Array<string> | null | undefined;
  /** the contacts that get it; null: those who are added as recipients */
  audience?: ProjectAudienceInput | null | undefined;
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory;
  /** channel of its messages */
  channel: ProjectChannel;
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** display name */
  name: string;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** the name or number that an SMS is sent from, one of your approved senders; default: the channel's own */
  sender?: string | null | undefined;
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** a started project begins at this time, at most a year in the future */
  startAt?: string | null | undefined;
  /** a scheduled project that can't be started within this time after `startAt` is stopped, with the reason `missed_start` */
  startWithinSeconds?: number;
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

/** The values of a new form. */
export type NewSignupForm = {
  /** whether people can sign up by it */
  enabled?: boolean;
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** title of the form */
  name: string;
  /** page to which the browser goes after signing up; null: one of this service */
  redirectUrl?: string | null | undefined;
  /** what the person agrees to; it is kept as the proof of consent */
  text?: string | null | undefined;
  /** uuids of the topics that can be subscribed to, at most 10 */
  topicUuids: Array<string>;
};

/** A source account (sender identity) to add. Source, login and token together identify it. */
export type NewSourceAccount = {
  /** name of the account at its source */
  login: string;
  /** display name; default: the login */
  name?: string | null | undefined;
  /** type of the account, in lower case */
  source: string;
  /** credential at the source; stored encrypted and never returned */
  token: string;
};

/** A route for SMS that an administrator makes. Messages go by it only if a rule of routes names it. */
export type NewSystemRoute = {
  /** how it is reached, as POSTERN_CHANNEL_SMS has it (smpp, twilio, post or sandbox), without `name=`; it is stored encrypted, and no answer has it */
  dsn: string;
  /** false: an administrator has switched it off, so that nothing is sent by it; messages take their next route, or wait */
  enabled?: boolean;
  /** its name, which no other route has or had: lower-case letters, digits and hyphens */
  name: string;
};

/** A list of recipients as lines of text. */
export type NewTextImport = {
  /** channel of the project that the list is for; rows with an address that it can't reach are invalid (`wrong_channel`). Without it the channel is checked when the rows are added to a project */
  channel?: ProjectChannel | null | undefined;
  /** ISO 3166-1 country of phones that are written without + */
  region?: string | null | undefined;
  /** one phone or address on each line, optionally followed by `;` or `,` and a name */
  text: string;
};

/** The values of a new topic. */
export type NewTopic = {
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory;
  /** description, as recipients see it */
  description?: string | null | undefined;
  /** short name for programs, unique among yours: letters, digits, _ and - */
  key: string;
  /** name, as recipients see it */
  name: string;
  /** what makes a subscription active */
  optIn?: TopicOptIn;
  /** place on the page of preferences; the lowest is first */
  position?: number;
  /** whether the page of preferences shows it to everybody; else only to its subscribers */
  public?: boolean;
  /** name and description in other languages */
  translations?: Array<TopicTranslationInput> | null | undefined;
};

/** An authenticator app to add. */
export type NewTotp = {
  /** label to recognise it by */
  name?: string;
  /** your password; needed only in the 72 hours after a change of your email */
  password?: string | null | undefined;
};

/** A user to create. */
export type NewUser = {
  /** display name */
  displayName?: string | null | undefined;
  /** an email address */
  email: string;
  /** password: any characters; longer is stronger */
  password?: string | null | undefined;
  /** roles of the user */
  roles?: Array<Role> | null | undefined;
};

/** A webhook to add, or the changes to the existing webhook with this URL, which is enabled again. */
export type NewWebhook = {
  /** types of events to send; empty: all except `message_edited` and `message_deleted` */
  events?: Array<WebhookEvent> | null | undefined;
  /** signing secret: whsec_ and the base64 of 24 to 64 random bytes (Standard Webhooks); default: a generated one */
  secret?: string | null | undefined;
  /** a public http(s) URL; events are posted to it as JSON */
  webhookUrl: string;
};

/** The rule for a recipient who lacks a variable of the text. */
export type OnMissingVariable =
  /** the variable is replaced by an empty text */
  | 'empty'
  /** the recipient is skipped */
  | 'skip';

/** A mail that came back: its source as text, or as an uploaded file. */
export type ParseMailReport = {
  /** uuid of an uploaded file, of which the first 256 KiB are read */
  fileUuid?: string | null | undefined;
  /** the mail with its header fields, as it was received */
  text?: string | null | undefined;
};

/** Asks for a mail with a link to set a new password. */
export type PasswordResetRequest = {
  /** email that the user logs in with */
  email: string;
};

/** The reason for which a project is paused, or is running but sends nothing. It continues automatically when the cause is gone, except after `recipients_failed`. `missed_start` is the reason of a project that was stopped. */
export type PauseReason =
  /** the account's balance is too low for the next message */
  | 'balance_used_up'
  /** the project was stopped, because it could not be started within startWithinSeconds of its startAt; start it, or schedule it anew */
  | 'missed_start'
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

/** Filter by included or excluded values. */
export type PlanFilter = {
  /** equal to this value */
  eq?: Plan | null | undefined;
  /** equal to one of these values */
  in?: Array<Plan> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<Plan> | null | undefined;
};

/** The limit that decides how fast the messages of a project leave. */
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

/** Filter by the beginning of a text. */
export type PrefixFilter = {
  /** the text it begins with; there are no wildcards */
  startsWith?: string | null | undefined;
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

/** The conditions to try. */
export type PreviewSegment = {
  /** the conditions by which contacts belong to it */
  filter: SegmentFilter;
};

/** Changes of a price list; fields that are left out stay as they are. */
export type PriceListPatch = {
  /** name of the list, which no other list has */
  name?: string | null | undefined;
  /** true: a message to a number without a row is refused (`no_price`), and skipped in a project; false: it costs what the tariff says for its channel */
  strict?: boolean | null | undefined;
};

/** The channels whose messages can have prices by prefix. */
export type PricedChannel =
  /** text messages to phones; the price is that of each part */
  | 'sms'
  /** WhatsApp messages to phones */
  | 'whatsapp';

/** stuck: a running project has messages that are due, but no worker sends them. */
export type ProcessingStatus =
  /** nothing is due, or it is being processed */
  | 'ok'
  /** a running project has messages that are due, but no worker sends them */
  | 'stuck';

/** The contacts that get a project, each once: those that are subscribed to one of the topics on its channel when it starts, and are in one of the segments, if there are any. */
export type ProjectAudienceInput = {
  /** uuids of projects whose recipients are left out */
  exceptProjectUuids?: Array<string> | null | undefined;
  /** uuids of segments whose contacts are left out */
  exceptSegmentUuids?: Array<string> | null | undefined;
  /** uuids of topics whose subscribers are left out */
  exceptTopicUuids?: Array<string> | null | undefined;
  /** uuids of segments, to which it is narrowed down */
  segmentUuids?: Array<string> | null | undefined;
  /** uuids of topics, at most 10, of the category that the project has; a promotional project needs one, because people have agreed to topics */
  topicUuids?: Array<string> | null | undefined;
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
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** the name or number that an SMS is sent from, one of your approved senders; default: the channel's own */
  sender?: string | null | undefined;
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

/** The provider of a mailbox: well-known domains by their name, all others by their MX records. */
export type ProviderClass =
  /** iCloud */
  | 'apple'
  /** Gmail and Google Workspace */
  | 'gmail'
  /** Mail.ru */
  | 'mailru'
  /** Outlook, Hotmail and Microsoft 365 */
  | 'microsoft'
  /** all others, and domains whose MX records were not looked up yet when an email was counted */
  | 'other'
  /** Yahoo and AOL */
  | 'yahoo'
  /** Yandex */
  | 'yandex';

/** A value to store under a key. It replaces the previous value and its expiry. */
export type PutStorageValue = {
  /** any printable text; it may contain slashes */
  key: string;
  /** seconds until the value expires; null: it is kept until it is deleted */
  ttlSeconds?: number | null | undefined;
  /** any JSON value */
  value?: unknown;
};

/** degraded: everything is available, but something is slow; error: something is unavailable. */
export type ReadinessStatus =
  /** everything is available, but something is slow */
  | 'degraded'
  /** something is unavailable */
  | 'error'
  /** everything is available */
  | 'ok';

/** The purpose of a DNS record. */
export type RecordPurpose =
  /** it has the public key by which receivers verify the signature of an email */
  | 'dkim'
  /** it proves that the domain is yours */
  | 'verification';

/** The state of a DNS record. */
export type RecordState =
  /** it was seen when the domain was checked: leave it */
  | 'active'
  /** it has not been seen yet: set it */
  | 'pending'
  /** it is of a key that signs no more: remove it when the domain does not show it any more */
  | 'retired';

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

/** Recipients to remove from a project: those with an address of an import, or those found by a text. */
export type RemoveRecipients = {
  /** uuid of an import with their addresses; recipients with such an address are removed even if they were added otherwise */
  importUuid?: string | null | undefined;
  /** a part of the address or of the name; no wildcards */
  text?: string | null | undefined;
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

/** The status of a repeatable project: active or not. */
export type RepeatableStatus =
  /** runs by its schedule */
  | 'active'
  /** never started */
  | 'draft'
  /** the schedule has no further runs */
  | 'finished'
  /** does not run until it is started */
  | 'stopped';

/** Selects the messages to send again. */
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

/** Filter by a role. */
export type RoleFilter = {
  /** having this role */
  eq?: Role | null | undefined;
};

/** The values of a rule. */
export type RouteRuleInput = {
  /** only messages of this category; null: all */
  category?: MessageCategory | null | undefined;
  /** whether rules of shorter prefixes are tried after those of this one; false: they are not */
  fallback?: boolean;
  /** only messages of this user; null: of all users */
  ownerId?: string | null | undefined;
  /** the digits with which the numbers begin, with the calling code, with or without `+`; of several rules the longest prefix goes first; empty: all numbers */
  prefix: string;
  /** of two rules of one prefix, that with the smaller number is tried first */
  priority?: number;
  /** name of the route: that of its DSN (`name=`), or else channel and position */
  route: string;
  /** of rules that are alike in prefix, priority, user and category, each gets its part of the weights of all numbers; one number keeps its route */
  weight?: number;
};

/** Filter for rules of routes. */
export type RouteRuleWhere = {
  /** filter by category */
  category?: MessageCategoryFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by user */
  ownerId?: IdFilter | null | undefined;
  /** filter by prefix */
  prefix?: TextFilter | null | undefined;
  /** filter by route */
  route?: TextFilter | null | undefined;
};

/** State of a route's circuit breaker. */
export type RouteState =
  /** messages are sent through the route */
  | 'closed'
  /** the provider does not respond, and messages wait */
  | 'open'
  /** one message is being sent to test the provider */
  | 'probing';

/** Says whether a route of a trace is tried. */
export type RouteUse =
  /** it is not tried, since no route of this name is configured */
  | 'missing'
  /** it is not tried, since it is switched off */
  | 'off'
  /** it is tried */
  | 'tried';

/** The times of a repeatable project's runs: either rrule or cron is required. */
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

/** The scope of settings: the caller's own, or those of an account. */
export type Scope =
  /** the settings of an account */
  | 'account'
  /** the caller's own settings */
  | 'user';

/** Filter by a part of a text, in upper or lower case. */
export type SearchFilter = {
  /** the text it begins with; there are no wildcards */
  contains?: string | null | undefined;
};

/** A code of the second factor. */
export type SecondFactorCode = {
  /** the six digits that the authenticator app shows, or a recovery code */
  otp: string;
};

/** A condition on a contact: exactly one of contact, subscription and history. */
export type SegmentCondition = {
  /** what the contact is */
  contact?: SegmentContact | null | undefined;
  /** a message that it got */
  history?: SegmentHistory | null | undefined;
  /** true: those who do not meet it */
  not?: boolean;
  /** a subscription that it has */
  subscription?: SegmentSubscription | null | undefined;
};

/** Conditions on a contact itself, as lists of contacts have them; all that are given must hold. */
export type SegmentContact = {
  /** by the channels that reach it */
  channel?: ProjectChannelFilter | null | undefined;
  /** by the time of creation */
  createdAt?: TimeFilter | null | undefined;
  /** it was added within so many days before the moment of asking */
  createdWithinDays?: number | null | undefined;
  /** by the id in your own system */
  externalId?: TextFilter | null | undefined;
  /** conditions on fields, all of which must hold */
  fields?: Array<ContactFieldCondition> | null | undefined;
  /** by the language tag */
  locale?: TextFilter | null | undefined;
  /** by words of the name, or by how they begin */
  name?: SearchFilter | null | undefined;
};

/** An event of a project's message. */
export type SegmentEvent =
  /** a mail reported that it came back */
  | 'bounced'
  /** it was reported as spam */
  | 'complained'
  /** it was delivered, or read */
  | 'delivered'
  /** it failed */
  | 'failed'
  /** it was read */
  | 'read'
  /** the contact replied */
  | 'replied'
  /** a provider accepted it */
  | 'sent';

/** The contacts that meet at least one condition of each group. */
export type SegmentFilter = {
  /** each of these groups holds */
  all: Array<SegmentGroup>;
};

/** Conditions of which at least one must hold. */
export type SegmentGroup = {
  /** at least one of these holds */
  any: Array<SegmentCondition>;
};

/** A message of a project to a contact. It is found by the addresses that the contact has. */
export type SegmentHistory = {
  /** its channel; null: any */
  channel?: ProjectChannel | null | undefined;
  /** what happened to it */
  event: SegmentEvent;
  /** of one of these projects; none: of any */
  projectUuids?: Array<string> | null | undefined;
  /** of a project for one of these topics; none: of any */
  topicUuids?: Array<string> | null | undefined;
  /** it was queued within so many days before the moment of asking */
  withinDays?: number;
};

/** The values of a segment that change; the others stay. */
export type SegmentPatch = {
  /** the conditions by which contacts belong to it */
  filter?: SegmentFilter | null | undefined;
  /** name, unique among yours */
  name?: string | null | undefined;
};

/** A subscription that a contact has. */
export type SegmentSubscription = {
  /** it has had its state for at most so many days */
  changedWithinDays?: number | null | undefined;
  /** its channel; null: any */
  channel?: ProjectChannel | null | undefined;
  /** its state is one of these */
  states?: Array<SubscriptionState> | null | undefined;
  /** uuid of the topic */
  topicUuid: string;
};

/** Filter for segments. */
export type SegmentWhere = {
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by name */
  name?: TextFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
};

/** A request that people make for themselves. */
export type SelfService =
  /** they may have what is stored of them erased */
  | 'erase'
  /** they may get a file with what is stored of them */
  | 'export';

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
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** email: subject, html, replyTo, attachmentUuids; push: title, data; other keys are stored with the message */
  metadata?: unknown;
  /** the name or number that an SMS is sent from, one of your approved senders; default: the channel's own */
  sender?: string | null | undefined;
  /** recipient: a phone (sms), an email address, or a device token or Web Push subscription of at most 2,500 bytes (push) */
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
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** the name or number that an SMS is sent from, one of your approved senders; default: the channel's own */
  sender?: string | null | undefined;
  /** subject of emails and title of push messages; Liquid */
  subject?: string | null | undefined;
  /** text; Liquid */
  text: string;
  /** a phone (sms, whatsapp, telegram), an email address, a device token or a Telegram username */
  to: string;
  /** values of variables by name */
  variables?: unknown;
};

/** The decision of an administrator about a sender of SMS. */
export type SenderDecision = {
  /** approved or refused */
  decision: SenderDecisionKind;
  /** why; required to refuse it */
  reason?: string | null | undefined;
};

/** The decision of an administrator about a sender. */
export type SenderDecisionKind =
  /** messages may be sent from it; of an email: while its domain is verified */
  | 'approved'
  /** an administrator has refused it; `reason` says why */
  | 'refused';

/** Kind of a sender. */
export type SenderKind =
  /** a name of 1 to 11 characters, with at least one letter; for SMS */
  | 'alpha'
  /** an email address at one of its owner's domains, with or without a name */
  | 'email'
  /** a phone number in E.164; for SMS */
  | 'number'
  /** a short code of 3 to 8 digits; for SMS */
  | 'short';

/** Filter by included or excluded values. */
export type SenderKindFilter = {
  /** equal to this value */
  eq?: SenderKind | null | undefined;
  /** equal to one of these values */
  in?: Array<SenderKind> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<SenderKind> | null | undefined;
};

/** Changes to a sender of SMS. */
export type SenderPatch = {
  /** the countries that it serves, ISO 3166-1 with two letters; empty: all */
  countries: Array<string>;
};

/** State of a sender. */
export type SenderState =
  /** messages may be sent from it; of an email: while its domain is verified */
  | 'approved'
  /** an administrator has not decided yet; of an email: its domain is not verified */
  | 'pending'
  /** an administrator has refused it; `reason` says why */
  | 'refused';

/** Filter by included or excluded values. */
export type SenderStateFilter = {
  /** equal to this value */
  eq?: SenderState | null | undefined;
  /** equal to one of these values */
  in?: Array<SenderState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<SenderState> | null | undefined;
};

/** The status of a source account: messages can be sent through it or not. */
export type SenderStatus =
  /** its messenger has blocked it */
  | 'blocked'
  /** messages can be sent through it */
  | 'connected'
  /** deleted; it is no longer used */
  | 'deleted'
  /** its messages wait until it is connected again */
  | 'disconnected';

/** Filter by included or excluded values. */
export type SenderStatusFilter = {
  /** equal to this value */
  eq?: SenderStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<SenderStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<SenderStatus> | null | undefined;
};

/** Filter for senders. */
export type SenderWhere = {
  /** filter by channel */
  channel?: MessageChannelFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by kind */
  kind?: SenderKindFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by state */
  state?: SenderStateFilter | null | undefined;
  /** filter by the sender itself, without regard to case */
  value?: TextFilter | null | undefined;
};

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
  /** the contacts that get it; null: those who are added as recipients; it can be changed until the project is first started */
  audience?: ProjectAudienceInput | null | undefined;
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory | null | undefined;
  /** it can be changed only while there are no recipients */
  channel?: ProjectChannel | null | undefined;
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** HTML part of emails; Liquid, values of variables are escaped */
  html?: string | null | undefined;
  /** display name */
  name?: string | null | undefined;
  /** what happens to recipients who lack a variable */
  onMissingVariable?: OnMissingVariable | null | undefined;
  /** how often a failed message is tried again */
  retry?: SendingRetryInput | null | undefined;
  /** the name or number that an SMS is sent from, one of your approved senders; default: the channel's own */
  sender?: string | null | undefined;
  /** sending rate */
  speed?: SendingSpeedInput | null | undefined;
  /** a started project begins at this time, at most a year in the future */
  startAt?: string | null | undefined;
  /** a scheduled project that can't be started within this time after `startAt` is stopped, with the reason `missed_start` */
  startWithinSeconds?: number | null | undefined;
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

/** The rule for repeated attempts after a temporary failure. */
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

/** A rule that replaces the present one. What is left out is not limited any more. */
export type SetCountryRules = {
  /** the only countries that SMS may go to, as ISO 3166-1 codes; 001: numbers of no country, such as satellite phones; null or empty: all */
  allow?: Array<string> | null | undefined;
  /** countries that no SMS may go to, also if `allow` has them */
  deny?: Array<string> | null | undefined;
  /** the most SMS of a user to any one country in a day; null: no cap */
  perDay?: number | null | undefined;
  /** the most SMS of a user to any one country in an hour; null: no cap */
  perHour?: number | null | undefined;
  /** whose rule */
  scope?: CountryRuleScope;
  /** the user, for administrators; default: the caller */
  userUuid?: string | null | undefined;
};

/** One setting to change. Null is stored as a value. */
export type SetSetting = {
  /** the account, with scope account; default: your oldest account */
  accountId?: string | null | undefined;
  /** dotted name of the setting */
  key: string;
  /** whose settings */
  scope?: Scope;
  /** any JSON value */
  value?: unknown;
};

/** Selects a tariff by `code` alone. With further fields, creates or changes that tariff; only administrators can do that. */
export type SetTariff = {
  /** channels that messages may be sent on */
  channels?: Array<ProjectChannel> | null | undefined;
  /** code of the tariff */
  code: string;
  /** maximum number of projects that are scheduled, running or paused at once */
  maxConcurrentProjects?: number | null | undefined;
  /** maximum number of recipients of a project */
  maxRecipientsPerProject?: number | null | undefined;
  /** maximum number of project messages per day (UTC) */
  messagesPerDay?: number | null | undefined;
  /** maximum number of project messages per minute */
  messagesPerMinute?: number | null | undefined;
  /** display name */
  name?: string | null | undefined;
  /** the price list, by prefix of the number, for accounts in its currency; null: none, and `prices` hold */
  priceListId?: string | null | undefined;
  /** price of a message (for SMS: of each segment), by currency and channel */
  prices?: unknown;
  /** whether users can select the tariff themselves; default for a new one: yes, unless it is made for one user (`userUuid`) */
  public?: boolean | null | undefined;
  /** the user who gets the tariff, for administrators; default: the caller */
  userUuid?: string | null | undefined;
};

/** The values of a form that change; the others stay. */
export type SignupFormPatch = {
  /** whether people can sign up by it */
  enabled?: boolean | null | undefined;
  /** the From of an email, with or without a name: an address of one of your verified domains; default: the channel's own */
  from?: string | null | undefined;
  /** title of the form */
  name?: string | null | undefined;
  /** page to which the browser goes after signing up; null: one of this service */
  redirectUrl?: string | null | undefined;
  /** what the person agrees to; it is kept as the proof of consent */
  text?: string | null | undefined;
  /** uuids of the topics that can be subscribed to, at most 10 */
  topicUuids?: Array<string> | null | undefined;
};

/** Filter for sign-up forms. */
export type SignupFormWhere = {
  /** filter by whether people can sign up */
  enabled?: BooleanFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
};

/** Direction in which a list is sorted. */
export type SortDirection =
  /** ascending: smallest or oldest first */
  | 'asc'
  /** descending: largest or newest first */
  | 'desc';

/** Filter for source accounts. */
export type SourceAccountWhere = {
  /** filter by the time at which they were added */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by the name of the account at its source */
  login?: TextFilter | null | undefined;
  /** filter by the messenger account that they send through */
  messengerAccountUuid?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by type, in lower case */
  source?: TextFilter | null | undefined;
  /** filter by status */
  status?: SenderStatusFilter | null | undefined;
  /** filter by a part of the login or the name */
  text?: SearchFilter | null | undefined;
};

/** The source of the recipients of each run: exactly one of the three is required. */
export type SourceInput = {
  /** subscribers of topics and contacts of segments, as they are at the time of the run */
  audience?: ProjectAudienceInput | null | undefined;
  /** uuid of a recipient import */
  importUuid?: string | null | undefined;
  /** uuid of a Sending Project */
  sendingProjectUuid?: string | null | undefined;
};

/** An export to start, or an integration to open a link for. */
export type StartExport = {
  /** names of columns from GET /export-link/variables/{source}, in the order of the file; empty: the default columns */
  columns?: Array<string> | null | undefined;
  /** which rows to export. messages: accountUuid, channel, direction, status, phone, dateFrom, dateTo, updatedSince; recipients: status; sending-projects and statistics: status, channel, dateFrom, dateTo; blocked-phones: reason, dateFrom, dateTo; audit: operation, objectType, objectId, result, actorId, dateFrom, dateTo; person: contactUuid, or channel and address; an integration: any values, which it can read */
  filters?: unknown;
  /** file format */
  format?: ExportFormat;
  /** messages: only those of this project; recipients: the project whose recipients are exported; an integration: the project that receives the contacts */
  sendingProjectUuid?: string | null | undefined;
  /** messages, recipients, sending-projects, statistics, blocked-phones, audit or person: exported to a file; any other name: an integration that delivers contacts */
  source: string;
};

/** The messages that are counted. */
export type StatisticsKind =
  /** the sum of both */
  | 'all'
  /** single outbound messages, without test messages */
  | 'direct'
  /** messages of Sending Projects */
  | 'project';

/** Filter for stored values. */
export type StorageValueWhere = {
  /** filter by key */
  key?: PrefixFilter | null | undefined;
};

/** Contacts that are to get the messages of topics. */
export type SubscribeContacts = {
  /** the channel that the messages of the topics take */
  channel: ProjectChannel;
  /** uuids of contacts, at most 1,000 */
  contactUuids: Array<string>;
  /** where you have the proof that the people want it; with it no contact is asked to confirm, and also those are subscribed who had withdrawn */
  evidence?: string | null | undefined;
  /** the text that the people saw and agreed to */
  text?: string | null | undefined;
  /** uuids of topics, at most 10 */
  topicUuids: Array<string>;
};

/** State of a subscription. */
export type SubscriptionState =
  /** messages of the topic may be sent */
  | 'active'
  /** the person was asked to confirm it */
  | 'pending'
  /** the person does not want it */
  | 'withdrawn';

/** Filter by included or excluded values. */
export type SubscriptionStateFilter = {
  /** equal to this value */
  eq?: SubscriptionState | null | undefined;
  /** equal to one of these values */
  in?: Array<SubscriptionState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<SubscriptionState> | null | undefined;
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

/** Kind of an entry of a timeline. */
export type TimelineKind =
  /** a chat of a messenger account, at the time of its newest message */
  | 'chat'
  /** a single message */
  | 'message'
  /** a message of a project, or a reply to one */
  | 'record';

/** Permissions that are often wanted together. `GET /permissions` lists them. */
export type TokenPreset =
  /** to make and send projects, with their recipients, blocks and files */
  | 'campaigns'
  /** to read the event feed, and to make webhooks */
  | 'events'
  /** to use messenger accounts */
  | 'messengers'
  /** for a monitoring system, which reads the metrics of the installation */
  | 'metrics'
  /** to see everything of the user, and to change nothing */
  | 'read'
  /** to send messages and to see their status */
  | 'send';

/** The act that makes a subscription to a topic active. */
export type TopicOptIn =
  /** a click of the person in a message, or evidence that you have */
  | 'double'
  /** the request alone */
  | 'none';

/** The values of a topic that change; the others stay. */
export type TopicPatch = {
  /** promotional messages are not sent to recipients who unsubscribed; transactional ones are */
  category?: MessageCategory | null | undefined;
  /** description, as recipients see it */
  description?: string | null | undefined;
  /** short name for programs, unique among yours: letters, digits, _ and - */
  key?: string | null | undefined;
  /** name, as recipients see it */
  name?: string | null | undefined;
  /** what makes a subscription active */
  optIn?: TopicOptIn | null | undefined;
  /** place on the page of preferences; the lowest is first */
  position?: number | null | undefined;
  /** whether the page of preferences shows it to everybody; else only to its subscribers */
  public?: boolean | null | undefined;
  /** name and description in other languages */
  translations?: Array<TopicTranslationInput> | null | undefined;
};

/** Filter for subscriptions. */
export type TopicSubscriptionWhere = {
  /** filter by channel */
  channel?: ProjectChannelFilter | null | undefined;
  /** filter by contact */
  contactId?: IdFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by state */
  state?: SubscriptionStateFilter | null | undefined;
  /** filter by topic */
  topicId?: IdFilter | null | undefined;
};

/** Name and description of a topic in another language. */
export type TopicTranslationInput = {
  /** description, as recipients see it */
  description?: string | null | undefined;
  /** language tag (BCP 47) */
  locale: string;
  /** name, as recipients see it */
  name: string;
};

/** Filter for topics. */
export type TopicWhere = {
  /** filter by category */
  category?: MessageCategoryFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by the short name */
  key?: TextFilter | null | undefined;
  /** filter by owner */
  ownerId?: IdFilter | null | undefined;
  /** filter by whether everybody sees it */
  public?: BooleanFilter | null | undefined;
};

/** An SMS whose way is asked for. Nothing is sent or counted. */
export type TraceRoute = {
  /** the account that pays, whose owner sends it; default: your oldest account */
  accountId?: string | null | undefined;
  /** category of the message */
  category?: MessageCategory;
  /** the sender that it names; default: none */
  sender?: string | null | undefined;
  /** a phone in any common notation */
  to: string;
};

/** Addresses to unblock. */
export type UnblockMany = {
  /** at most 1,000 addresses */
  phones: Array<string>;
};

/** Contacts that are not to get the messages of topics any more. */
export type UnsubscribeContacts = {
  /** the channel of the subscriptions; null: all */
  channel?: ProjectChannel | null | undefined;
  /** uuids of contacts, at most 1,000 */
  contactUuids: Array<string>;
  /** what the people said, for the proof */
  reason?: string | null | undefined;
  /** uuids of topics, at most 10; none: of all to which they are subscribed */
  topicUuids?: Array<string> | null | undefined;
};

/** A contact to add or to change. It is found by its external id, else by one of its addresses. */
export type UpsertContact = {
  /** at most 20 addresses */
  addresses?: Array<NewContactAddress> | null | undefined;
  /** true: adds fields that you do not have, with the type of the first value */
  createFields?: boolean;
  /** id in your own system */
  externalId?: string | null | undefined;
  /** values of fields by their keys; a field that is left out stays, and null removes it */
  fields?: unknown;
  /** language tag (BCP 47): language of the page on which recipients unsubscribe from this user's messages */
  locale?: string | null | undefined;
  /** name */
  name?: string | null | undefined;
  /** IANA time zone */
  timezone?: string | null | undefined;
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
  /** requests that this user's contacts may make for themselves, by their page of preferences */
  selfService?: Array<SelfService> | null | undefined;
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

/** Filter by included or excluded values. */
export type UserStatusFilter = {
  /** equal to this value */
  eq?: UserStatus | null | undefined;
  /** equal to one of these values */
  in?: Array<UserStatus> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<UserStatus> | null | undefined;
};

/** Filter for users. */
export type UserWhere = {
  /** filter by creation time */
  createdAt?: TimeFilter | null | undefined;
  /** filter by email, in lower case */
  email?: TextFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by a role that they have */
  role?: RoleFilter | null | undefined;
  /** filter by status */
  status?: UserStatusFilter | null | undefined;
  /** filter by the code of their tariff */
  tariffCode?: TextFilter | null | undefined;
  /** filter by a part of the email or the display name */
  text?: SearchFilter | null | undefined;
};

/** Says whether a delivery waits, has been accepted, or was given up. */
export type WebhookDeliveryState =
  /** given up; it can be replayed */
  | 'dead'
  /** the receiver has accepted it */
  | 'delivered'
  /** waits for its turn, or for its next attempt */
  | 'waiting';

/** Filter by included or excluded values. */
export type WebhookDeliveryStateFilter = {
  /** equal to this value */
  eq?: WebhookDeliveryState | null | undefined;
  /** equal to one of these values */
  in?: Array<WebhookDeliveryState> | null | undefined;
  /** equal to none of these values */
  notIn?: Array<WebhookDeliveryState> | null | undefined;
};

/** Filter for deliveries of webhooks. */
export type WebhookDeliveryWhere = {
  /** filter by the time of queueing */
  createdAt?: TimeFilter | null | undefined;
  /** filter by id */
  id?: IdFilter | null | undefined;
  /** filter by state */
  state?: WebhookDeliveryStateFilter | null | undefined;
};

/** Type of an event that webhooks receive. */
export type WebhookEvent =
  /** somebody reacted to a message */
  | 'add_message_reaction'
  /** a message was received, or was sent from another device */
  | 'message'
  /** a message was deleted at the messenger; it is sent only to webhooks that list this type */
  | 'message_deleted'
  /** the text of a message was edited at the messenger; it is sent only to webhooks that list this type */
  | 'message_edited'
  /** the status of a message has changed */
  | 'message_status'
  /** the account's state has changed */
  | 'state';

/** Changes to a webhook. Omitted fields stay unchanged. */
export type WebhookPatch = {
  /** the most events of one request; from 2 on, a body is `{"events": […]}` with one event or more */
  batch?: number | null | undefined;
  /** true: delivery is tried at once and all waits after failures end; false: no events are queued for a messenger account; those of an event feed wait as long as the feed has them */
  enabled?: boolean | null | undefined;
  /** of a webhook of a messenger account: types of events to send; empty: all except `message_edited` and `message_deleted` */
  events?: Array<WebhookEvent> | null | undefined;
  /** only events of this messenger account; null: of all */
  messengerAccountUuid?: string | null | undefined;
  /** only events that this account pays for; null: all events */
  payingAccountId?: string | null | undefined;
  /** a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the body of each event; null: the documented shape */
  query?: string | null | undefined;
  /** only events of this project; null: of all */
  sendingProjectUuid?: string | null | undefined;
  /** types of events to send, as docs/events.md lists them; empty: all */
  types?: Array<string> | null | undefined;
  /** a public http(s) URL; events are posted to it as JSON */
  url?: string | null | undefined;
};

/** Names the event and the settings for which the body of a request is shown. */
export type WebhookPreview = {
  /** an event of your feed; default: the newest of these types */
  eventId?: string | null | undefined;
  /** a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the body of each event; null: the documented shape */
  query?: string | null | undefined;
  /** types of events to send, as docs/events.md lists them; empty: all */
  types?: Array<string> | null | undefined;
};

/** Selects the events that are sent again. Both times are those of the events (`at`). */
export type WebhookReplay = {
  /** events from this time on */
  since: string;
  /** only these types; null: those of the webhook */
  types?: Array<string> | null | undefined;
  /** events before this time; null: until now */
  until?: string | null | undefined;
};

/** Credentials of the `whatsapp-cloud` driver, from Meta's app dashboard. They are stored encrypted and never returned. */
export type WhatsAppCloudCredentials = {
  /** token of a system user, which does not expire */
  accessToken: string;
  /** from App settings → Basic; Meta signs its webhook requests with it */
  appSecret: string;
  /** from WhatsApp → API Setup; not the phone number itself */
  phoneNumberId: string;
  /** any text of your choice; enter the same text in Meta's webhook configuration */
  verifyToken: string;
};

/** An approved message template of WhatsApp Cloud. */
export type WhatsAppTemplateInput = {
  /** language of the template */
  language: string;
  /** name of the template at WhatsApp */
  name: string;
  /** parameters of the template, in order; Liquid */
  params?: Array<string> | null | undefined;
};

export type AccountRowFragment = { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string };

export type AccountPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: AccountWhere | null | undefined;
  count: boolean;
  admin: boolean;
}>;


export type AccountPageQuery = { accounts: { totalCount?: number, nodes: Array<{ uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string, owner?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OwnerOfQueryVariables = Exact<{
  id: string | number;
}>;


export type OwnerOfQuery = { user: { uuid: string, email: string } | null };

export type OneAccountQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
}>;


export type OneAccountQuery = { account: { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string, owner?: { uuid: string, email: string } | null } | null };

export type LedgerPageQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
  where?: LedgerWhere | null | undefined;
  admin: boolean;
  messages: boolean;
  projects: boolean;
}>;


export type LedgerPageQuery = { account: { uuid: string, ledger: { nodes: Array<{ uuid: string, kind: EntryKind, amount: number, note: string | null, entryCount: number | null, createdAt: string, projectId: string | null, projectCost: { cost: number, charged: number, refunded: number, entries: number } | null, message?: { uuid: string, to: string, channel: MessageChannel } | null, sendingProject?: { uuid: string, name: string } | null, creator?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type ProjectEntriesQueryVariables = Exact<{
  id: string | number;
  project: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectEntriesQuery = { account: { uuid: string, ledger: { nodes: Array<{ uuid: string, kind: EntryKind, amount: number, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type AccountMovedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type AccountMovedSubscription = { messageStatusChanged: { uuid: string } };

export type OpenAccountMutationVariables = Exact<{
  input: NewAccount;
}>;


export type OpenAccountMutation = { createAccount: { uuid: string } | null };

export type ChangeAccountMutationVariables = Exact<{
  id: string | number;
  input: AccountPatch;
}>;


export type ChangeAccountMutation = { updateAccount: { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string } | null };

export type SetLowBalanceMutationVariables = Exact<{
  id: string | number;
  below?: number | string | null | undefined;
}>;


export type SetLowBalanceMutation = { setLowBalance: { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string } | null };

export type CreditAccountMutationVariables = Exact<{
  input: Credit;
}>;


export type CreditAccountMutation = { creditAccount: { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null, createdAt: string } | null };

export type CurrenciesQueryVariables = Exact<{
  language: string;
}>;


export type CurrenciesQuery = { currencies: Array<{ code: string, name: string }> | null };

export type BlockPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: BlockedPhoneWhere | null | undefined;
}>;


export type BlockPageQuery = { blockedPhones: { totalCount: number, nodes: Array<{ uuid: string, phone: string, reason: BlockReason, scope: BlockScope, expiresAt: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type BlockGroupsQueryVariables = Exact<{ [key: string]: never; }>;


export type BlockGroupsQuery = { blockedPhoneSummary: { items: Array<{ reason: BlockReason, scope: BlockScope, count: number, newestAt: string }> } | null };

export type BlockMutationVariables = Exact<{
  phone: string;
  input?: BlockPhone | null | undefined;
}>;


export type BlockMutation = { blockPhone: { uuid: string, phone: string, reason: BlockReason, scope: BlockScope, expiresAt: string | null, createdAt: string } | null };

export type BlockPhonesMutationVariables = Exact<{
  input: BlockMany;
}>;


export type BlockPhonesMutation = { blockPhones: { added: number, changed: number, unchanged: number, nextLine: number | null, invalid: Array<{ place: number, message: string }> } | null };

export type UnblockPhonesMutationVariables = Exact<{
  input: UnblockMany;
}>;


export type UnblockPhonesMutation = { unblockPhones: { removed: number } | null };

export type ReadBlockFileMutationVariables = Exact<{
  input: NewImport;
}>;


export type ReadBlockFileMutation = { importRecipients: { uuid: string } | null };

export type BlockFileQueryVariables = Exact<{
  id: string | number;
}>;


export type BlockFileQuery = { recipientImport: { uuid: string, status: ImportStatus, statusReason: string | null, total: number, valid: number, invalid: number, rows: { nodes: Array<{ line: number, error: { message: string } | null }> } | null } | null };

export type ForgetBlockFileMutationVariables = Exact<{
  id: string | number;
  file: string | number;
}>;


export type ForgetBlockFileMutation = { deleteRecipientImport: boolean | null, deleteFile: boolean | null };

export type ContactSubscriptionsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: TopicSubscriptionWhere | null | undefined;
}>;


export type ContactSubscriptionsQuery = { topicSubscriptions: { nodes: Array<{ uuid: string, channel: ProjectChannel, state: SubscriptionState, changedAt: string, topic: { uuid: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ConsentHistoryQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: ConsentEntryWhere | null | undefined;
}>;


export type ConsentHistoryQuery = { consentEntries: { nodes: Array<{ uuid: string, channel: ProjectChannel, action: ConsentAction, source: ConsentSource, text: string | null, evidence: string | null, ip: string | null, userAgent: string | null, createdAt: string, topic: { uuid: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SubscribeContactsMutationVariables = Exact<{
  input: SubscribeContacts;
}>;


export type SubscribeContactsMutation = { subscribeContacts: { active: number, pending: number, unchanged: number, invalid: Array<{ contactUuid: string, message: string }> } | null };

export type UnsubscribeContactsMutationVariables = Exact<{
  input: UnsubscribeContacts;
}>;


export type UnsubscribeContactsMutation = { unsubscribeContacts: { withdrawn: number, invalid: Array<{ contactUuid: string, message: string }> } | null };

export type ContactPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: ContactWhere | null | undefined;
  orderBy?: ContactOrder | null | undefined;
}>;


export type ContactPageQuery = { contacts: { totalCount: number, nodes: Array<{ uuid: string, name: string, externalId: string | null, createdAt: string, addresses: Array<{ channel: ProjectChannel, address: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ContactFieldsQueryVariables = Exact<{ [key: string]: never; }>;


export type ContactFieldsQuery = { contactFields: { nodes: Array<{ uuid: string, key: string, type: ContactFieldType, label: string | null }> } | null };

export type OneContactQueryVariables = Exact<{
  id: string | number;
}>;


export type OneContactQuery = { contact: { uuid: string, name: string, externalId: string | null, locale: string | null, timezone: string | null, fields: unknown, createdAt: string, updatedAt: string, addresses: Array<{ channel: ProjectChannel, address: string, primary: boolean, verifiedAt: string | null }> } | null };

export type ContactTimelineQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
}>;


export type ContactTimelineQuery = { contactTimeline: { nodes: Array<{ kind: TimelineKind, at: string, channel: ProjectChannel, address: string | null, direction: Direction | null, status: string | null, text: string | null, projectUuid: string | null, accountUuid: string | null, uuid: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type FindContactQueryVariables = Exact<{
  address: string;
}>;


export type FindContactQuery = { contacts: { nodes: Array<{ uuid: string, name: string }> } | null };

export type UpsertContactMutationVariables = Exact<{
  input: UpsertContact;
}>;


export type UpsertContactMutation = { upsertContact: { uuid: string } | null };

export type UpdateContactMutationVariables = Exact<{
  id: string | number;
  input: ContactPatch;
}>;


export type UpdateContactMutation = { updateContact: { uuid: string } | null };

export type MergeContactsMutationVariables = Exact<{
  id: string | number;
  input: MergeContact;
}>;


export type MergeContactsMutation = { mergeContacts: { uuid: string } | null };

export type DeleteContactMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteContactMutation = { deleteContact: boolean | null };

export type CreateContactFieldMutationVariables = Exact<{
  input: NewContactField;
}>;


export type CreateContactFieldMutation = { createContactField: { uuid: string } | null };

export type ErasuresQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: ErasureWhere | null | undefined;
}>;


export type ErasuresQuery = { erasures: { totalCount: number, nodes: Array<{ uuid: string, state: ErasureState, stateReason: string | null, contactId: string | null, requestedBy: string | null, counts: unknown, createdAt: string, finishedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneErasureQueryVariables = Exact<{
  id: string | number;
}>;


export type OneErasureQuery = { erasure: { uuid: string, deleted: Array<{ subjectId: string, name: string }>, notErased: Array<{ kind: string, reason: string }> } | null };

export type ErasePersonMutationVariables = Exact<{
  input: ErasePerson;
}>;


export type ErasePersonMutation = { erasePerson: { uuid: string } | null };

export type SignupFormRowFragment = { uuid: string, name: string, topicUuids: Array<string>, text: string | null, from: string | null, redirectUrl: string | null, enabled: boolean };

export type SignupFormsQueryVariables = Exact<{
  where?: SignupFormWhere | null | undefined;
}>;


export type SignupFormsQuery = { signupForms: { nodes: Array<{ uuid: string, name: string, topicUuids: Array<string>, text: string | null, from: string | null, redirectUrl: string | null, enabled: boolean }> } | null };

export type CreateSignupFormMutationVariables = Exact<{
  input: NewSignupForm;
}>;


export type CreateSignupFormMutation = { createSignupForm: { uuid: string } | null };

export type UpdateSignupFormMutationVariables = Exact<{
  id: string | number;
  input: SignupFormPatch;
}>;


export type UpdateSignupFormMutation = { updateSignupForm: { uuid: string } | null };

export type DeleteSignupFormMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSignupFormMutation = { deleteSignupForm: boolean | null };

export type PreviewContactsQueryVariables = Exact<{
  input: NewContactImport;
}>;


export type PreviewContactsQuery = { previewContactImport: { headerRow: number | null, mapping: unknown, columns: Array<{ name: string, samples: Array<string> }> } | null };

export type ImportContactsMutationVariables = Exact<{
  input: NewContactImport;
}>;


export type ImportContactsMutation = { importContacts: { uuid: string } | null };

export type SegmentRowFragment = { uuid: string, name: string, filter: unknown, size: number, countedAt: string };

export type SegmentPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: SegmentWhere | null | undefined;
}>;


export type SegmentPageQuery = { segments: { totalCount: number, nodes: Array<{ uuid: string, name: string, filter: unknown, size: number, countedAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TrySegmentQueryVariables = Exact<{
  input: PreviewSegment;
}>;


export type TrySegmentQuery = { segmentPreview: { size: number, sample: Array<{ uuid: string, name: string, addresses: Array<{ address: string }> }> } | null };

export type SegmentProjectsQueryVariables = Exact<{
  newest?: SendingProjectWhere | null | undefined;
  chosen?: SendingProjectWhere | null | undefined;
  any: boolean;
}>;


export type SegmentProjectsQuery = { newest: { nodes: Array<{ uuid: string, name: string }> } | null, chosen?: { nodes: Array<{ uuid: string, name: string }> } | null };

export type CreateSegmentMutationVariables = Exact<{
  input: NewSegment;
}>;


export type CreateSegmentMutation = { createSegment: { uuid: string } | null };

export type UpdateSegmentMutationVariables = Exact<{
  id: string | number;
  input: SegmentPatch;
}>;


export type UpdateSegmentMutation = { updateSegment: { uuid: string } | null };

export type CountSegmentMutationVariables = Exact<{
  id: string | number;
}>;


export type CountSegmentMutation = { countSegment: { uuid: string, name: string, filter: unknown, size: number, countedAt: string } | null };

export type DeleteSegmentMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSegmentMutation = { deleteSegment: boolean | null };

export type OneTopicQueryVariables = Exact<{
  id: string | number;
}>;


export type OneTopicQuery = { topic: { uuid: string, key: string, name: string, description: string | null, category: MessageCategory, optIn: TopicOptIn, public: boolean, position: number, translations: Array<{ locale: string, name: string, description: string | null }> } | null };

export type CreateTopicMutationVariables = Exact<{
  input: NewTopic;
}>;


export type CreateTopicMutation = { createTopic: { uuid: string } | null };

export type UpdateTopicMutationVariables = Exact<{
  id: string | number;
  input: TopicPatch;
}>;


export type UpdateTopicMutation = { updateTopic: { uuid: string } | null };

export type DeleteTopicMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteTopicMutation = { deleteTopic: boolean | null };

export type SubscribersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: TopicSubscriptionWhere | null | undefined;
}>;


export type SubscribersQuery = { topicSubscriptions: { totalCount: number, nodes: Array<{ uuid: string, channel: ProjectChannel, state: SubscriptionState, changedAt: string, contact: { uuid: string, name: string, externalId: string | null, addresses: Array<{ channel: ProjectChannel, address: string }> } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PreferencesPreviewQueryVariables = Exact<{
  locale?: string | null | undefined;
}>;


export type PreferencesPreviewQuery = { preferencesPreview: { html: string, languages: Array<string> } | null, me: { uuid: string, selfService: Array<SelfService> } | null };

export type SaveSelfServiceMutationVariables = Exact<{
  id: string | number;
  input: UserPatch;
}>;


export type SaveSelfServiceMutation = { updateUser: { uuid: string, selfService: Array<SelfService> } | null };

export type CountryRuleFieldsFragment = { allow: Array<string> | null, deny: Array<string>, perHour: number | null, perDay: number | null };

export type CountryRulesPageQueryVariables = Exact<{
  user?: string | number | null | undefined;
}>;


export type CountryRulesPageQuery = { countryRules: { installation: { allow: Array<string> | null, deny: Array<string>, perHour: number | null, perDay: number | null }, own: { allow: Array<string> | null, deny: Array<string>, perHour: number | null, perDay: number | null }, effective: { allow: Array<string> | null, deny: Array<string>, perHour: number | null, perDay: number | null }, limited: Array<{ ownerUuid: string, country: string, cap: CountryCap, until: string, createdAt: string }> } | null };

export type CountryUserQueryVariables = Exact<{
  id: string | number;
}>;


export type CountryUserQuery = { user: { uuid: string, email: string } | null };

export type SaveCountryRulesMutationVariables = Exact<{
  input: SetCountryRules;
}>;


export type SaveCountryRulesMutation = { setCountryRules: { own: { allow: Array<string> | null, deny: Array<string>, perHour: number | null, perDay: number | null } } | null };

export type CheckCountryQueryVariables = Exact<{
  to: string;
  user?: string | number | null | undefined;
}>;


export type CheckCountryQuery = { checkCountry: { to: string, country: string, allowed: boolean, refusedBy: CountryRefusal | null, leftThisHour: number | null, leftToday: number | null } | null };

export type DeliverabilityByProviderQueryVariables = Exact<{
  from: string;
}>;


export type DeliverabilityByProviderQuery = { deliverability: { degraded: Array<{ providerClass: ProviderClass, accepted: number, policy: number, complaints: number, createdAt: string }>, items: Array<{ providerClass: ProviderClass, accepted: number, deferred: number, bounced: number, hard: number, mailboxFull: number, content: number, policy: number, soft: number, complaints: number, rescued: number, bounceRate: number | null, complaintRate: number | null, complaintLevel: ComplaintLevel }> } | null, deliverabilityByProject: { items: Array<{ sendingProjectUuid: string, name: string, from: string | null, accepted: number, bounced: number, complaints: number, bounceRate: number | null, complaintRate: number | null, complaintLevel: ComplaintLevel }> } | null };

export type FeedStateQueryVariables = Exact<{ [key: string]: never; }>;


export type FeedStateQuery = { eventFeed: { recording: boolean, recordingSince: string | null, count: number, limit: number, nearlyFull: boolean, retentionDays: number, oldest: string, newest: string } | null, eventTypes: Array<{ type: string, subject: string, data: string, when: string }> | null };

export type WatchEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  types?: Array<string> | string | null | undefined;
}>;


export type WatchEventsSubscription = { events: { uuid: string, cursor: string, type: string, at: string, subject: string, subjectId: string, sendingProjectUuid: string | null, accountId: string | null, data: unknown } };

export type EnableEventsMutationVariables = Exact<{ [key: string]: never; }>;


export type EnableEventsMutation = { enableEvents: { recording: boolean } | null };

export type DisableEventsMutationVariables = Exact<{ [key: string]: never; }>;


export type DisableEventsMutation = { disableEvents: boolean | null };

export type HookSecretsQueryVariables = Exact<{
  first: number;
  where?: HookSecretWhere | null | undefined;
}>;


export type HookSecretsQuery = { hookSecrets: { nodes: Array<{ uuid: string, kind: HookCredential, hint: string, createdAt: string, createdBy: string | null, lastUsedAt: string | null, revokedAt: string | null }> } | null };

export type RotateHookSecretMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateHookSecretMutation = { rotateHookSecret: { secret: string } | null };

export type CreateHookKeyMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateHookKeyMutation = { createHookKey: { secret: string } | null };

export type RevokeHookSecretMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeHookSecretMutation = { revokeHookSecret: { uuid: string } | null };

export type HookMakersQueryVariables = Exact<{ [key: string]: never; }>;


export type HookMakersQuery = { members: { nodes: Array<{ userUuid: string | null, email: string }> } | null };

export type ProviderRoutesQueryVariables = Exact<{ [key: string]: never; }>;


export type ProviderRoutesQuery = { queueStatistics: { routes: Array<{ name: string }> } | null };

export type TokenRowFragment = { uuid: string, name: string, hint: string, createdAt: string, expiresAt: string | null, revokedAt: string | null, scopes: Array<string> | null, networks: Array<string> | null, accountIds: Array<string> | null, spendPerDay: number | null, lastUsedAt: string | null, lastUsedIp: string | null, lastRefusedAt: string | null, lastRefusal: string | null };

export type PayingAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type PayingAccountsQuery = { accounts: { nodes: Array<{ uuid: string, name: string, currency: string }> } | null };

export type TokensQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: ApiTokenWhere | null | undefined;
}>;


export type TokensQuery = { apiTokens: { nodes: Array<{ uuid: string, name: string, hint: string, createdAt: string, expiresAt: string | null, revokedAt: string | null, scopes: Array<string> | null, networks: Array<string> | null, accountIds: Array<string> | null, spendPerDay: number | null, lastUsedAt: string | null, lastUsedIp: string | null, lastRefusedAt: string | null, lastRefusal: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateTokenMutationVariables = Exact<{
  input: NewApiToken;
}>;


export type CreateTokenMutation = { createApiToken: { token: string, apiToken: { uuid: string, name: string } } | null };

export type ChangeTokenMutationVariables = Exact<{
  id: string | number;
  input: ApiTokenPatch;
}>;


export type ChangeTokenMutation = { updateApiToken: { uuid: string, name: string } | null };

export type RevokeTokenMutationVariables = Exact<{
  id: string | number;
  keepWebhooks: boolean;
}>;


export type RevokeTokenMutation = { revokeApiToken: { uuid: string } | null };

export type HooksQueryVariables = Exact<{
  first: number;
  ofFeed: boolean;
  ofAccounts: boolean;
}>;


export type HooksQuery = { webhooks?: { nodes: Array<{ uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, query: string | null, batch: number, sendingProjectUuid: string | null, payingAccountId: string | null, messengerAccountUuid: string | null, missed: number, createdAt: string, events: Array<WebhookEvent>, types: Array<string> | null, replaying: boolean, waiting: number, dead: number, account: { uuid: string, source: MessengerSource, login: string, name: string } | null }>, pageInfo: { hasNextPage: boolean } } | null, messengerAccounts?: { nodes: Array<{ uuid: string, webhooks: { nodes: Array<{ uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, query: string | null, batch: number, sendingProjectUuid: string | null, payingAccountId: string | null, messengerAccountUuid: string | null, missed: number, createdAt: string, events: Array<WebhookEvent>, types: Array<string> | null, replaying: boolean, waiting: number, dead: number, account: { uuid: string, source: MessengerSource, login: string, name: string } | null }>, pageInfo: { hasNextPage: boolean } } | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type HookFragment = { uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, query: string | null, batch: number, sendingProjectUuid: string | null, payingAccountId: string | null, messengerAccountUuid: string | null, missed: number, createdAt: string, events: Array<WebhookEvent>, types: Array<string> | null, replaying: boolean, waiting: number, dead: number, account: { uuid: string, source: MessengerSource, login: string, name: string } | null };

export type OneHookQueryVariables = Exact<{
  id: string | number;
}>;


export type OneHookQuery = { webhook: { uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, query: string | null, batch: number, sendingProjectUuid: string | null, payingAccountId: string | null, messengerAccountUuid: string | null, missed: number, createdAt: string, events: Array<WebhookEvent>, types: Array<string> | null, replaying: boolean, waiting: number, dead: number, account: { uuid: string, source: MessengerSource, login: string, name: string } | null } | null };

export type HookChoicesQueryVariables = Exact<{
  projects: boolean;
  accounts: boolean;
  messengers: boolean;
}>;


export type HookChoicesQuery = { eventTypes: Array<{ type: string }> | null, sendingProjects?: { nodes: Array<{ uuid: string, name: string }> } | null, accounts?: { nodes: Array<{ uuid: string, name: string, currency: string }> } | null, messengerAccounts?: { nodes: Array<{ uuid: string, source: MessengerSource, login: string, name: string }> } | null };

export type CreateHookMutationVariables = Exact<{
  input: NewEventWebhook;
}>;


export type CreateHookMutation = { createWebhook: { secret: string | null, webhook: { uuid: string } } | null };

export type AddHookMutationVariables = Exact<{
  account: string | number;
  input: NewWebhook;
}>;


export type AddHookMutation = { addWebhook: { secret: string | null, webhook: { uuid: string } } | null };

export type ChangeHookMutationVariables = Exact<{
  id: string | number;
  input: WebhookPatch;
}>;


export type ChangeHookMutation = { updateWebhook: { uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, query: string | null, batch: number, sendingProjectUuid: string | null, payingAccountId: string | null, messengerAccountUuid: string | null, missed: number, createdAt: string, events: Array<WebhookEvent>, types: Array<string> | null, replaying: boolean, waiting: number, dead: number, account: { uuid: string, source: MessengerSource, login: string, name: string } | null } | null };

export type DeleteHookMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteHookMutation = { deleteWebhook: boolean | null };

export type TestHookMutationVariables = Exact<{
  id: string | number;
}>;


export type TestHookMutation = { testWebhook: { delivered: boolean, error: string | null, status: number | null, answer: string | null, seconds: number | null, body: string } | null };

export type RotateHookSigningMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateHookSigningMutation = { rotateWebhookSecret: { secret: string | null } | null };

export type ReplayHookMutationVariables = Exact<{
  id: string | number;
  input: WebhookReplay;
}>;


export type ReplayHookMutation = { replayWebhook: number | null };

export type ReplayDeadMutationVariables = Exact<{
  id: string | number;
  letters?: Array<string | number> | string | number | null | undefined;
}>;


export type ReplayDeadMutation = { replayDeadLetters: number | null };

export type PreviewHookQueryVariables = Exact<{
  input: WebhookPreview;
}>;


export type PreviewHookQuery = { previewWebhook: { eventId: string, type: string, body: unknown, bytes: number, cost: number } | null };

export type HookDeliveriesQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
  where?: WebhookDeliveryWhere | null | undefined;
}>;


export type HookDeliveriesQuery = { webhookDeliveries: { nodes: Array<{ uuid: string, type: string, state: WebhookDeliveryState, attempts: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, seconds: number | null, replayed: boolean, createdAt: string, deliveredAt: string | null, deadAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneDeliveryQueryVariables = Exact<{
  id: string | number;
}>;


export type OneDeliveryQuery = { webhookDelivery: { uuid: string, eventId: string, type: string, state: WebhookDeliveryState, attempts: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, answer: string | null, seconds: number | null, replayed: boolean, createdAt: string, deliveredAt: string | null, deadAt: string | null, body: unknown, failedAttempts: Array<{ at: string, status: number | null, error: string | null, seconds: number | null }> } | null };

export type TryHookNowMutationVariables = Exact<{
  id: string | number;
}>;


export type TryHookNowMutation = { tryWebhookNow: { uuid: string, failures: number, nextAt: string | null } | null };

export type DomainPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: DomainWhere | null | undefined;
  admin: boolean;
}>;


export type DomainPageQuery = { domains: { totalCount: number, nodes: Array<{ uuid: string, name: string, status: DomainStatus, checkedAt: string | null, createdAt: string, owner?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneDomainQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
}>;


export type OneDomainQuery = { domain: { uuid: string, name: string, status: DomainStatus, verifiedAt: string | null, checkedAt: string | null, lostAt: string | null, problem: string | null, createdAt: string, records: Array<{ purpose: RecordPurpose, name: string, type: string, value: string, selector: string | null, state: RecordState }>, owner?: { uuid: string, email: string } | null } | null };

export type FindingFieldsFragment = { topic: CheckTopic, state: CheckState, text: string, recordName: string | null, recordValue: string | null };

export type DomainFindingsQueryVariables = Exact<{
  id: string | number;
}>;


export type DomainFindingsQuery = { domainFindings: Array<{ topic: CheckTopic, state: CheckState, text: string, recordName: string | null, recordValue: string | null }> | null };

export type DomainCheckQueryVariables = Exact<{
  domain: string;
  selector?: string | null | undefined;
}>;


export type DomainCheckQuery = { domainCheck: Array<{ topic: CheckTopic, state: CheckState, text: string, recordName: string | null, recordValue: string | null }> | null };

export type CreateDomainMutationVariables = Exact<{
  input: NewDomain;
}>;


export type CreateDomainMutation = { createDomain: { uuid: string } | null };

export type VerifyDomainMutationVariables = Exact<{
  id: string | number;
}>;


export type VerifyDomainMutation = { verifyDomain: { uuid: string, status: DomainStatus } | null };

export type RotateDomainKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateDomainKeyMutation = { rotateDomainKey: { uuid: string } | null };

export type DeleteDomainMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteDomainMutation = { deleteDomain: boolean | null };

export type EventSinkPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  owner: boolean;
}>;


export type EventSinkPageQuery = { eventSinks: { totalCount: number, nodes: Array<{ uuid: string, ownerId: string | null, name: string, url: string, stream: string, subject: string, makeStream: boolean, replicas: number, duplicateWindowSeconds: number, types: Array<string>, query: string | null, enabled: boolean, disabledReason: string | null, failures: number, failingSince: string | null, lastError: string | null, nextAt: string | null, publishedAt: string | null, owner?: { uuid: string, email: string } | null, status: { lag: number, ratePerSecond: number, published: number, missed: number, replaying: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SinkFragment = { uuid: string, ownerId: string | null, name: string, url: string, stream: string, subject: string, makeStream: boolean, replicas: number, duplicateWindowSeconds: number, types: Array<string>, query: string | null, enabled: boolean, disabledReason: string | null, failures: number, failingSince: string | null, lastError: string | null, nextAt: string | null, publishedAt: string | null, status: { lag: number, ratePerSecond: number, published: number, missed: number, replaying: boolean } | null };

export type EventSinkTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type EventSinkTypesQuery = { eventTypes: Array<{ type: string }> | null };

export type CreateEventSinkMutationVariables = Exact<{
  input: NewEventSink;
}>;


export type CreateEventSinkMutation = { createEventSink: { uuid: string } | null };

export type ChangeEventSinkMutationVariables = Exact<{
  id: string | number;
  input: EventSinkPatch;
}>;


export type ChangeEventSinkMutation = { updateEventSink: { uuid: string } | null };

export type DeleteEventSinkMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteEventSinkMutation = { deleteEventSink: boolean | null };

export type TestEventSinkMutationVariables = Exact<{
  id: string | number;
}>;


export type TestEventSinkMutation = { testEventSink: { acknowledged: boolean, error: string | null, subject: string, sequence: number | null, seconds: number } | null };

export type ReplayEventSinkMutationVariables = Exact<{
  id: string | number;
  input: EventSinkReplay;
}>;


export type ReplayEventSinkMutation = { replayEventSink: number | null };

export type FilePageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: FileWhere | null | undefined;
  orderBy?: FileOrder | null | undefined;
  admin: boolean;
  imports: boolean;
  exports: boolean;
}>;


export type FilePageQuery = { files: { totalCount: number, nodes: Array<{ uuid: string, name: string, mime: string, size: number, createdAt: string, url: string, imports?: { nodes: Array<{ uuid: string, status: ImportStatus, valid: number }> } | null, exports?: { nodes: Array<{ uuid: string, source: string, sendingProject: { uuid: string, name: string } | null }> } | null, owner?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DeleteFileMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteFileMutation = { deleteFile: boolean | null };

export type InboxAnswerFragment = { uuid: string, shortcut: string, text: string };

export type InboxAnswersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: CannedAnswerWhere | null | undefined;
}>;


export type InboxAnswersQuery = { cannedAnswers: { nodes: Array<{ uuid: string, shortcut: string, text: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InboxNewAnswerMutationVariables = Exact<{
  input: NewCannedAnswer;
}>;


export type InboxNewAnswerMutation = { createCannedAnswer: { uuid: string, shortcut: string, text: string } | null };

export type InboxChangeAnswerMutationVariables = Exact<{
  id: string | number;
  input: CannedAnswerPatch;
}>;


export type InboxChangeAnswerMutation = { updateCannedAnswer: { uuid: string, shortcut: string, text: string } | null };

export type InboxDeleteAnswerMutationVariables = Exact<{
  id: string | number;
}>;


export type InboxDeleteAnswerMutation = { deleteCannedAnswer: boolean | null };

export type InboxAccountFragment = { uuid: string, source: MessengerSource, login: string, name: string, state: AccountState, next: string };

export type InboxChatFragment = { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null };

export type InboxMessageFragment = { uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> };

export type InboxNoteFragment = { uuid: string, text: string, createdAt: string, authorId: string, author?: { displayName: string, email: string } | null };

export type InboxNotesQueryVariables = Exact<{
  chat: string | number;
  first: number;
  authors: boolean;
}>;


export type InboxNotesQuery = { messengerChat: { uuid: string, notes: { nodes: Array<{ uuid: string, text: string, createdAt: string, authorId: string, author?: { displayName: string, email: string } | null }> } | null } | null };

export type InboxNewNoteMutationVariables = Exact<{
  chat: string | number;
  text: string;
  authors: boolean;
}>;


export type InboxNewNoteMutation = { createChatNote: { uuid: string, text: string, createdAt: string, authorId: string, author?: { displayName: string, email: string } | null } | null };

export type InboxDeleteNoteMutationVariables = Exact<{
  id: string | number;
}>;


export type InboxDeleteNoteMutation = { deleteChatNote: boolean | null };

export type InboxCloseMutationVariables = Exact<{
  id: string | number;
  upTo?: string | number | null | undefined;
}>;


export type InboxCloseMutation = { closeMessengerChat: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null };

export type InboxReopenMutationVariables = Exact<{
  id: string | number;
}>;


export type InboxReopenMutation = { reopenMessengerChat: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null };

export type InboxAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type InboxAccountsQuery = { messengerAccounts: { nodes: Array<{ uuid: string, source: MessengerSource, login: string, name: string, state: AccountState, next: string }> } | null };

export type InboxPageOfChatsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  account?: string | number | null | undefined;
  where?: MessengerChatWhere | null | undefined;
}>;


export type InboxPageOfChatsQuery = { messengerChats: { nodes: Array<{ uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, messages: { nodes: Array<{ uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> }> } | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InboxConversationQueryVariables = Exact<{
  id: string | number;
  first: number;
}>;


export type InboxConversationQuery = { messengerChat: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, messages: { nodes: Array<{ uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null };

export type InboxOlderQueryVariables = Exact<{
  account: string | number;
  thread: string;
  first: number;
  after?: string | null | undefined;
}>;


export type InboxOlderQuery = { messengerMessages: { nodes: Array<{ uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InboxChatWithQueryVariables = Exact<{
  account: string | number;
  to: string;
}>;


export type InboxChatWithQuery = { messengerMessages: { nodes: Array<{ uuid: string, chat: { uuid: string } | null }> } | null };

export type InboxQuotedQueryVariables = Exact<{
  item: string | number;
  account: string | number;
}>;


export type InboxQuotedQuery = { messengerMessage: { uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> } | null };

export type InboxSendMutationVariables = Exact<{
  account: string | number;
  input: NewMessengerMessage;
}>;


export type InboxSendMutation = { sendMessengerMessage: { uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, chat: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> } | null };

export type InboxReadMutationVariables = Exact<{
  id: string | number;
  upTo?: string | number | null | undefined;
}>;


export type InboxReadMutation = { readMessengerChat: { uuid: string, unread: number } | null };

export type InboxTypingMutationVariables = Exact<{
  account: string | number;
  input: MessengerPresence;
}>;


export type InboxTypingMutation = { sendMessengerTyping: boolean | null };

export type InboxNotTypingMutationVariables = Exact<{
  account: string | number;
  to: string;
}>;


export type InboxNotTypingMutation = { resetMessengerTyping: boolean | null };

export type InboxForgetFileMutationVariables = Exact<{
  id: string | number;
}>;


export type InboxForgetFileMutation = { deleteFile: boolean | null };

export type InboxChangedSubscriptionVariables = Exact<{
  account?: string | number | null | undefined;
}>;


export type InboxChangedSubscription = { messengerMessageChanged: { uuid: string, from: string | null, name: string | null, at: string, editedAt: string | null, deletedAt: string | null, text: string, outgoing: boolean, replyTo: string | null, status: ChatMessageStatus, failureCode: string | null, failureReason: string | null, chat: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null, content: Array<{ type: ContentKind, src: string | null, filename: string | null, mime: string | null, size: number | null }>, reactions: Array<{ from: string, emoji: string }> } };

export type InboxAccountChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type InboxAccountChangedSubscription = { messengerAccountChanged: { account: { uuid: string, state: AccountState } } };

export type InboxHitsQueryVariables = Exact<{
  text: string;
  account?: string | number | null | undefined;
  after?: string | null | undefined;
}>;


export type InboxHitsQuery = { messengerMessageSearch: { nodes: Array<{ uuid: string, text: string, at: string, outgoing: boolean, name: string | null, account: { uuid: string } | null, chat: { uuid: string, name: string | null, phone: string | null, username: string | null, thread: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InboxLabelFragment = { uuid: string, name: string, color: LabelColor };

export type InboxLabelsQueryVariables = Exact<{ [key: string]: never; }>;


export type InboxLabelsQuery = { chatLabels: Array<{ uuid: string, name: string, color: LabelColor }> | null };

export type InboxNewLabelMutationVariables = Exact<{
  input: NewChatLabel;
}>;


export type InboxNewLabelMutation = { createChatLabel: { uuid: string, name: string, color: LabelColor } | null };

export type InboxChangeLabelMutationVariables = Exact<{
  id: string | number;
  input: ChatLabelPatch;
}>;


export type InboxChangeLabelMutation = { updateChatLabel: { uuid: string, name: string, color: LabelColor } | null };

export type InboxDeleteLabelMutationVariables = Exact<{
  id: string | number;
}>;


export type InboxDeleteLabelMutation = { deleteChatLabel: boolean | null };

export type InboxSetLabelsMutationVariables = Exact<{
  id: string | number;
  labels: Array<string | number> | string | number;
}>;


export type InboxSetLabelsMutation = { setMessengerChatLabels: { uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null } | null };

export type InboxPersonQueryVariables = Exact<{
  address: string;
  part: string;
  first: number;
  messages: boolean;
  records: boolean;
}>;


export type InboxPersonQuery = { messages?: { nodes: Array<{ uuid: string, channel: MessageChannel, body: string, deliveryState: DeliveryState, createdAt: string }> } | null, messageRecords?: { nodes: Array<{ uuid: string, channel: ProjectChannel, body: string | null, status: RecordStatus, queuedAt: string, sendingProject: { uuid: string, name: string } | null }> } | null, messengerChats: { nodes: Array<{ uuid: string, accountId: string, thread: string, kind: ChatKind, name: string | null, phone: string | null, username: string | null, unread: number, lastAt: string | null, closedAt: string | null, account: { uuid: string, name: string, login: string, source: MessengerSource } | null, labels: Array<{ uuid: string, name: string, color: LabelColor }> | null }> } | null };

export type MemberRowFragment = { uuid: string, email: string, role: MemberRole, permissions: Array<string>, hasOwnPermissions: boolean, createdAt: string, joinedAt: string | null, expiresAt: string | null };

export type MembersQueryVariables = Exact<{ [key: string]: never; }>;


export type MembersQuery = { members: { nodes: Array<{ uuid: string, email: string, role: MemberRole, permissions: Array<string>, hasOwnPermissions: boolean, createdAt: string, joinedAt: string | null, expiresAt: string | null }> } | null };

export type InviteMemberMutationVariables = Exact<{
  input: NewMember;
}>;


export type InviteMemberMutation = { inviteMember: { token: string, member: { uuid: string, email: string, role: MemberRole, permissions: Array<string>, hasOwnPermissions: boolean, createdAt: string, joinedAt: string | null, expiresAt: string | null } } | null };

export type ChangeMemberMutationVariables = Exact<{
  id: string | number;
  input: MemberPatch;
}>;


export type ChangeMemberMutation = { changeMember: { uuid: string, email: string, role: MemberRole, permissions: Array<string>, hasOwnPermissions: boolean, createdAt: string, joinedAt: string | null, expiresAt: string | null } | null };

export type RemoveMemberMutationVariables = Exact<{
  id: string | number;
  input?: MemberRemoval | null | undefined;
}>;


export type RemoveMemberMutation = { endMember: { ended: Array<{ kind: CredentialKind, credentialUuid: string, name: string }> } | null };

export type AcceptMembershipMutationVariables = Exact<{
  input: AcceptMembership;
}>;


export type AcceptMembershipMutation = { acceptMembership: { uuid: string, ownerUuid: string, ownerEmail: string, ownerName: string, role: MemberRole, permissions: Array<string> } | null };

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

export type ChoicesQueryVariables = Exact<{
  accounts: boolean;
  projects: boolean;
  tariff: boolean;
}>;


export type ChoicesQuery = { accounts?: { nodes: Array<{ uuid: string, name: string, currency: string, balance: number }> } | null, sendingProjects?: { nodes: Array<{ uuid: string, name: string }> } | null, tariff?: { code: string, channels: Array<ProjectChannel>, prices: unknown } | null };

export type SendMessageMutationVariables = Exact<{
  input: SendMessage;
}>;


export type SendMessageMutation = { sendMessage: { segments: number, uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, account: { uuid: string, currency: string } | null } | null };

export type SegmentsQueryVariables = Exact<{
  variables: unknown;
}>;


export type SegmentsQuery = { previewMessage: { segments: number | null, characters: number, encoding: string | null } | null };

export type AttemptFieldsFragment = { at: string, code: string, reason: string | null, provider: string | null };

export type DeliveryFieldsFragment = { uuid: string, type: string, state: WebhookDeliveryState, attempts: number, createdAt: string, webhook: { uuid: string, url: string } | null };

export type OneMessageQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
  direct: boolean;
  record: boolean;
  deliveries: boolean;
  senders: boolean;
}>;


export type OneMessageQuery = { message?: { accountId: string, category: MessageCategory, trial: boolean, segments: number, attempts: number, provider: string | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, uuid: string, direction: Direction, channel: MessageChannel, to: string, sender: string | null, body: string, metadata: unknown, deliveryState: DeliveryState, failureCode: string | null, price: number, createdAt: string, updatedAt: string, failedAttempts: Array<{ at: string, code: string, reason: string | null, provider: string | null }>, webhookDeliveries?: { nodes: Array<{ uuid: string, type: string, state: WebhookDeliveryState, attempts: number, createdAt: string, webhook: { uuid: string, url: string } | null }> } | null, mailReports: { nodes: Array<{ uuid: string, type: MailReportType, bounceClass: MailReportClass | null, status: string | null, code: number | null, diagnostic: string | null, createdAt: string }> } | null, ledgerEntries: Array<{ uuid: string, kind: EntryKind, amount: number, createdAt: string }> | null, account: { uuid: string, name: string, currency: string } | null, owner?: { uuid: string, email: string } | null } | null, messageRecord?: { attempts: number, variant: number | null, provider: string | null, providerMessageId: string | null, failureReason: string | null, sentAt: string | null, deliveredAt: string | null, readAt: string | null, repliedAt: string | null, sender: string | null, uuid: string, direction: Direction, channel: ProjectChannel, to: string, body: string | null, status: RecordStatus, failureCode: string | null, price: number, queuedAt: string, updatedAt: string, failedAttempts: Array<{ at: string, code: string, reason: string | null, provider: string | null }>, webhookDeliveries?: { nodes: Array<{ uuid: string, type: string, state: WebhookDeliveryState, attempts: number, createdAt: string, webhook: { uuid: string, url: string } | null }> } | null, mailReports?: { nodes: Array<{ uuid: string, type: MailReportType, bounceClass: MailReportClass | null, status: string | null, code: number | null, diagnostic: string | null, createdAt: string }> } | null, sourceAccount?: { uuid: string, login: string, source: string } | null, account: { uuid: string, name: string, currency: string } | null, sendingProject: { uuid: string, name: string } | null } | null };

export type OneChangedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type OneChangedSubscription = { messageStatusChanged: { uuid: string, deliveryState: DeliveryState, updatedAt: string } };

export type BlockRecipientsMutationVariables = Exact<{
  input: BlockMany;
}>;


export type BlockRecipientsMutation = { blockPhones: { added: number, changed: number, unchanged: number, invalid: Array<{ place: number, message: string }> } | null };

export type ReportFieldsFragment = { uuid: string, type: MailReportType, bounceClass: MailReportClass | null, status: string | null, code: number | null, diagnostic: string | null, createdAt: string };

export type ReportMailQueryVariables = Exact<{
  id: string | number;
}>;


export type ReportMailQuery = { mailReportMail: { mail: string } | null };

export type MessengerRowFragment = { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string };

export type MessengerAccountPageQueryVariables = Exact<{
  after?: string | null | undefined;
  where?: MessengerAccountWhere | null | undefined;
  admin: boolean;
}>;


export type MessengerAccountPageQuery = { messengerAccounts: { totalCount: number, nodes: Array<{ uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string, owner?: { email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type MessengerAccountCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type MessengerAccountCountsQuery = { all: { totalCount: number } | null, working: { totalCount: number } | null, login: { totalCount: number } | null, down: { totalCount: number } | null, moving: { totalCount: number } | null, stopped: { totalCount: number } | null };

export type MessengerAccountsMovedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type MessengerAccountsMovedSubscription = { messengerAccountChanged: { account: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } } };

export type OneMessengerAccountQueryVariables = Exact<{
  id: string | number;
  admin: boolean;
}>;


export type OneMessengerAccountQuery = { messengerAccount: { wanted: boolean, checkedAt: string | null, proxy: string | null, createdAt: string, uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string, me: { messengerId: string, phone: string | null, username: string | null, firstName: string | null, lastName: string | null } | null, owner?: { email: string } | null } | null };

export type MessengerAccountMovedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type MessengerAccountMovedSubscription = { messengerAccountChanged: { at: string, account: { wanted: boolean, checkedAt: string | null, proxy: string | null, createdAt: string, uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string, me: { messengerId: string, phone: string | null, username: string | null, firstName: string | null, lastName: string | null } | null }, qrCode: { value: string, expiresAt: string | null, png: string } | null, pairingCode: { value: string, expiresAt: string | null } | null } };

export type MessengerHistoryQueryVariables = Exact<{
  id: string | number;
}>;


export type MessengerHistoryQuery = { messengerAccount: { uuid: string, stateChanges: Array<{ state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, createdAt: string }> | null } | null };

export type EnabledDriversQueryVariables = Exact<{ [key: string]: never; }>;


export type EnabledDriversQuery = { messengerDrivers: Array<{ source: MessengerSource, driver: MessengerDriver, label: string, about: string }> | null };

export type AddMessengerMutationVariables = Exact<{
  input: NewMessengerAccount;
}>;


export type AddMessengerMutation = { addMessengerAccount: { uuid: string } | null };

export type StartMessengerMutationVariables = Exact<{
  id: string | number;
}>;


export type StartMessengerMutation = { startMessengerAccount: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type StopMessengerMutationVariables = Exact<{
  id: string | number;
}>;


export type StopMessengerMutation = { stopMessengerAccount: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type ClearMessengerMutationVariables = Exact<{
  id: string | number;
}>;


export type ClearMessengerMutation = { clearMessengerSession: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type DeleteMessengerMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteMessengerMutation = { deleteMessengerAccount: boolean | null };

export type SetMessengerPhoneMutationVariables = Exact<{
  id: string | number;
  phone?: string | null | undefined;
}>;


export type SetMessengerPhoneMutation = { setMessengerPhone: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type SolveChallengeMutationVariables = Exact<{
  id: string | number;
  code: string;
}>;


export type SolveChallengeMutation = { solveMessengerChallenge: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type GivePasswordMutationVariables = Exact<{
  id: string | number;
  password: string;
}>;


export type GivePasswordMutation = { giveMessengerPassword: { uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type UpdateMessengerMutationVariables = Exact<{
  id: string | number;
  input: MessengerAccountPatch;
}>;


export type UpdateMessengerMutation = { updateMessengerAccount: { proxy: string | null, uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type RenewProxyMutationVariables = Exact<{
  id: string | number;
}>;


export type RenewProxyMutation = { renewMessengerProxy: { proxy: string | null, uuid: string, source: MessengerSource, login: string, name: string, driver: MessengerDriver, state: AccountState, reason: string | null, reasonCode: string | null, until: string | null, attemptsLeft: number | null, stateAt: string | null, phone: string | null, connectedPhone: string | null, updatedAt: string } | null };

export type SendMessengerTestMutationVariables = Exact<{
  id: string | number;
  input: NewMessengerMessage;
}>;


export type SendMessengerTestMutation = { sendMessengerMessage: { uuid: string, status: ChatMessageStatus } | null };

export type MessengerBehaviourQueryVariables = Exact<{
  id: string | number;
}>;


export type MessengerBehaviourQuery = { messengerConfig: { config: unknown, updatedAt: string } | null };

export type SetMessengerBehaviourMutationVariables = Exact<{
  id: string | number;
  input: NewMessengerConfig;
}>;


export type SetMessengerBehaviourMutation = { setMessengerConfig: { config: unknown, updatedAt: string } | null };

export type SenderOfAccountQueryVariables = Exact<{
  id: string | number;
}>;


export type SenderOfAccountQuery = { messengerAccount: { uuid: string, sourceAccounts: { nodes: Array<{ uuid: string, login: string }> } | null } | null };

export type MessengerWebhooksQueryVariables = Exact<{
  id: string | number;
}>;


export type MessengerWebhooksQuery = { webhooks: { nodes: Array<{ uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, nextAt: string | null, lastError: string | null, lastStatus: number | null, deliveredAt: string | null, events: Array<WebhookEvent>, waiting: number, dead: number }> } | null };

export type AddMessengerWebhookMutationVariables = Exact<{
  id: string | number;
  input: NewWebhook;
}>;


export type AddMessengerWebhookMutation = { addWebhook: { secret: string | null, webhook: { uuid: string, url: string } } | null };

export type TestMessengerWebhookMutationVariables = Exact<{
  id: string | number;
}>;


export type TestMessengerWebhookMutation = { testWebhook: { delivered: boolean, error: string | null, status: number | null, seconds: number | null } | null };

export type SwitchMessengerWebhookMutationVariables = Exact<{
  id: string | number;
  enabled: boolean;
}>;


export type SwitchMessengerWebhookMutation = { updateWebhook: { uuid: string, enabled: boolean } | null };

export type RotateMessengerSecretMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateMessengerSecretMutation = { rotateWebhookSecret: { secret: string | null } | null };

export type DeleteMessengerWebhookMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteMessengerWebhookMutation = { deleteWebhook: boolean | null };

export type TrafficQueryVariables = Exact<{
  interval: Interval;
  from: string;
  timezone: string;
  channel?: ProjectChannel | null | undefined;
}>;


export type TrafficQuery = { statisticsGeneral: { items: Array<{ from: string, sent: number, delivered: number, failed: number, unknown: number }> } | null, direct: { statuses: unknown } | null, project: { statuses: unknown } | null };

export type AttentionAccountFragment = { uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null };

export type AttentionQueryVariables = Exact<{
  admin: boolean;
  own: boolean;
  accounts: boolean;
  projects: boolean;
  messengers: boolean;
  events: boolean;
  tariff: boolean;
}>;


export type AttentionQuery = { me?: { uuid: string, accounts: { nodes: Array<{ uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null }> } | null } | null, accounts?: { nodes: Array<{ uuid: string, name: string, plan: Plan, balance: number, currency: string, lowBalance: number | null }> } | null, sendingProjects?: { nodes: Array<{ uuid: string, name: string, statusReason: PauseReason | null, resumeAt: string | null }> } | null, processingHealth: { projects: Array<{ uuid: string, stuck: boolean, lastProgressAt: string | null, project: { uuid: string, name: string } | null }> } | null, messengerAccounts?: { nodes: Array<{ uuid: string, login: string, name: string, source: MessengerSource, state: AccountState, reason: string | null }> } | null, webhooks?: { nodes: Array<{ uuid: string, url: string, enabled: boolean, disabledReason: string | null, failures: number, lastError: string | null, missed: number, dead: number }> } | null, eventFeed?: { recording: boolean, nearlyFull: boolean, count: number, limit: number } | null, tariff?: { code: string, messagesPerDay: number, used: { messagesToday: number, resetsAt: string } } | null, readiness?: { status: ReadinessStatus, error: unknown } | null };

export type DoctorFindingsQueryVariables = Exact<{ [key: string]: never; }>;


export type DoctorFindingsQuery = { doctor: { findings: Array<{ severity: FindingSeverity, topic: string, text: string, advice: string | null }> } | null };

export type OutcomesQueryVariables = Exact<{
  from: string;
}>;


export type OutcomesQuery = { statisticsOutcomes: { from: string, countedSince: string | null, items: Array<{ kind: StatisticsKind, channel: ProjectChannel, total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number }> } | null };

export type FailedMessagesQueryVariables = Exact<{
  direct?: MessageWhere | null | undefined;
  project?: MessageRecordWhere | null | undefined;
}>;


export type FailedMessagesQuery = { messages: { nodes: Array<{ uuid: string, failureCode: string | null }>, pageInfo: { hasNextPage: boolean } } | null, messageRecords: { nodes: Array<{ uuid: string, failureCode: string | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type CauseTotalsQueryVariables = Exact<{
  direct?: MessageWhere | null | undefined;
  project?: MessageRecordWhere | null | undefined;
}>;


export type CauseTotalsQuery = { messages: { totalCount: number } | null, messageRecords: { totalCount: number } | null };

export type ActiveQueryVariables = Exact<{ [key: string]: never; }>;


export type ActiveQuery = { sendingProjects: { nodes: Array<{ uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, startAt: string | null, counts: { total: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number }, progress: { total: number, done: number, percent: number | null, perMinute: number, endsAt: string | null } | null }> } | null };

export type NewcomerQueryVariables = Exact<{
  me: string;
}>;


export type NewcomerQuery = { messages: { nodes: Array<{ uuid: string, metadata: unknown }> } | null, delivered: { nodes: Array<{ uuid: string, metadata: unknown }> } | null, sendingProjects: { nodes: Array<{ uuid: string, counts: { total: number, delivered: number, read: number } }> } | null, messengerAccounts: { nodes: Array<{ uuid: string }> } | null, apiTokens: { nodes: Array<{ uuid: string }> } | null };

export type DirectSignalSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DirectSignalSubscription = { messageStatusChanged: { uuid: string } };

export type ProjectSignalSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ProjectSignalSubscription = { sendingProjectProgress: { uuid: string, status: ProjectStatus } };

export type LeaveOwnerMutationVariables = Exact<{
  id: string | number;
}>;


export type LeaveOwnerMutation = { leaveOwner: boolean | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePassword;
}>;


export type ChangePasswordMutation = { changePassword: { expiresIn: number } | null };

export type SaveProfileMutationVariables = Exact<{
  id: string | number;
  input: UserPatch;
}>;


export type SaveProfileMutation = { updateUser: { uuid: string, email: string, displayName: string, locale: string | null } | null };

export type SecondFactorsQueryVariables = Exact<{ [key: string]: never; }>;


export type SecondFactorsQuery = { secondFactors: { recoveryCodes: number, demanded: boolean, factors: Array<{ uuid: string, name: string, confirmedAt: string | null }> } | null };

export type BeginTotpMutationVariables = Exact<{
  input?: NewTotp | null | undefined;
}>;


export type BeginTotpMutation = { beginTotp: { secret: string, qrPng: string, factorUuid: string } | null };

export type ConfirmTotpMutationVariables = Exact<{
  id: string | number;
  input: SecondFactorCode;
}>;


export type ConfirmTotpMutation = { confirmTotp: { recoveryCodes: Array<string> } | null };

export type RemoveSecondFactorMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveSecondFactorMutation = { removeSecondFactor: boolean | null };

export type NewRecoveryCodesMutationVariables = Exact<{ [key: string]: never; }>;


export type NewRecoveryCodesMutation = { newRecoveryCodes: { recoveryCodes: Array<string> } | null };

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
  accounts: boolean;
  files: boolean;
  recipients: boolean;
  senders: boolean;
}>;


export type OneProjectQuery = { sendingProject: { messagesDeletedAt: string | null, retrySuppressed: number, uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, processing: { stuck: boolean, lastProgressAt: string | null } | null, failureReasons: Array<{ code: string, count: number, skipped: number | null }> | null, variantStatistics: Array<{ variant: number, counts: { total: number, sent: number, delivered: number, read: number, failed: number, replied: number }, rates: { delivered: number | null, read: number | null, failed: number | null, replied: number | null } }> | null, rates: { sent: number | null, delivered: number | null, read: number | null, failed: number | null, replied: number | null }, account?: { uuid: string, name: string, currency: string, balance: number } | null, cost?: { currency: string, cost: number, charged: number, refunded: number } | null, recipients?: { totalCount: number } | null, repeatable: { uuid: string, name: string } | null, owner?: { uuid: string, email: string } | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null } } & { attachments?: Array<{ uuid: string, name: string, size: number, url: string }> | null } & { sourceAccounts?: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type ProjectMovedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type ProjectMovedSubscription = { sendingProjectProgress: { uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null } };

export type ProjectSettingsFragment = { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null };

export type ProjectFilesFragment = { attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null };

export type ProjectSendersFragment = { sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null };

export type ProjectOwnSettingsFragment = { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null } };

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

export type DuplicateProjectMutationVariables = Exact<{
  id: string | number;
  input: DuplicateProject;
}>;


export type DuplicateProjectMutation = { duplicateSendingProject: { uuid: string } | null };

export type StopProjectsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type StopProjectsMutation = { stopSendingProjects: { stopped: Array<string>, failed: Array<{ uuid: string, message: string }> } | null };

export type RetryProjectsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type RetryProjectsMutation = { retrySendingProjects: { retried: Array<string>, failed: Array<{ uuid: string, message: string }> } | null };

export type DeleteProjectsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type DeleteProjectsMutation = { deleteSendingProjects: { deleted: Array<string>, failed: Array<{ uuid: string, message: string }> } | null };

export type DraftProjectQueryVariables = Exact<{
  id: string | number;
}>;


export type DraftProjectQuery = { sendingProject: { recipientsPending: number, recipientsError: string | null, uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, recipients: { totalCount: number, nodes: Array<{ uuid: string, address: string, name: string | null, variables: unknown }> } | null, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type ProjectChoicesQueryVariables = Exact<{
  messengers: boolean;
}>;


export type ProjectChoicesQuery = { accounts: { nodes: Array<{ uuid: string, name: string, currency: string, balance: number }> } | null, sourceAccounts: { nodes: Array<{ uuid: string, source: string, name: string, login: string, status: SenderStatus, messengerAccount?: { driver: MessengerDriver } | null }> } | null, tariff: { channels: Array<ProjectChannel>, prices: unknown, maxRecipientsPerProject: number, messagesPerDay: number, messagesPerMinute: number, used: { messagesToday: number } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: NewSendingProject;
}>;


export type CreateProjectMutation = { createSendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type UpdateProjectMutationVariables = Exact<{
  id: string | number;
  input: SendingProjectPatch;
}>;


export type UpdateProjectMutation = { updateSendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

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

export type ProjectPlanQueryVariables = Exact<{
  id: string | number;
  changes?: PlannedChanges | null | undefined;
}>;


export type ProjectPlanQuery = { sendingProjectPlan: { recipients: number, toSend: number, exact: boolean, examined: number, perMinute: number | null, limitedBy: PlanLimit, leftToday: number, beginsAt: string | null, endsAt: string | null, skipped: Array<{ code: string, count: number }>, missing: Array<{ name: string, count: number }>, cost: { currency: string, price: number, amount: number, atMost: number, parts: number | null, byCountry: Array<{ country: string | null, messages: number, amount: number }> } | null } | null };

export type FindRecipientsQueryVariables = Exact<{
  id: string | number;
  text: string;
}>;


export type FindRecipientsQuery = { recipients: { totalCount: number, nodes: Array<{ uuid: string, address: string, name: string | null }> } | null };

export type RemoveRecipientsMutationVariables = Exact<{
  id: string | number;
  input: RemoveRecipients;
}>;


export type RemoveRecipientsMutation = { removeRecipients: { removed: number, withMessage: number, more: boolean } | null };

export type WriteTextsMutationVariables = Exact<{
  input: GenerateText;
}>;


export type WriteTextsMutation = { generateText: { texts: Array<string>, model: string, usage: { totalTokens: number } } | null };

export type EarlierTrialsQueryVariables = Exact<{
  channel: ProjectChannel;
}>;


export type EarlierTrialsQuery = { trialMessages: { nodes: Array<{ uuid: string, to: string, deliveryState: DeliveryState, failureReason: string | null, createdAt: string }> } | null };

export type EarlierProjectsQueryVariables = Exact<{
  newest?: SendingProjectWhere | null | undefined;
  chosen?: SendingProjectWhere | null | undefined;
  any: boolean;
}>;


export type EarlierProjectsQuery = { newest: { nodes: Array<{ uuid: string, name: string }> } | null, chosen?: { nodes: Array<{ uuid: string, name: string }> } | null };

export type ProjectMailReportsQueryVariables = Exact<{
  id: string | number;
}>;


export type ProjectMailReportsQuery = { sendingProject: { uuid: string, mailReportCounts: Array<{ providerClass: ProviderClass, bounced: number, hard: number, mailboxFull: number, content: number, policy: number, soft: number, deferred: number, complaints: number }> | null } | null };

export type ProjectTrafficQueryVariables = Exact<{
  id: string | number;
  interval: Interval;
  from?: string | null | undefined;
  until?: string | null | undefined;
  timezone: string;
}>;


export type ProjectTrafficQuery = { sendingProject: { uuid: string, statistics: Array<{ from: string, sent: number, delivered: number, failed: number }> | null } | null };

export type RepeatableRowFragment = { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } };

export type RepeatableRowsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type RepeatableRowsQuery = { repeatableSendingProjects: { nodes: Array<{ uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneRepeatableQueryVariables = Exact<{
  id: string | number;
  accounts: boolean;
  recipients: boolean;
}>;


export type OneRepeatableQuery = { repeatableSendingProject: { nextRuns: Array<string> | null, uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, template: { channel: ProjectChannel, subject: string | null, text: string | null, variants: Array<{ text: string, weight: number }> }, recipientImport?: { uuid: string, fileName: string | null, valid: number } | null, sourceProject: { uuid: string, name: string } | null, account?: { uuid: string, name: string } | null, sendingProjects: { nodes: Array<{ uuid: string, name: string, status: ProjectStatus, statusReason: PauseReason | null, resumeAt: string | null, recipientsPending: number, recipientsError: string | null, channel: ProjectChannel, startAt: string | null, createdAt: string, updatedAt: string, startedAt: string | null, finishedAt: string | null, counts: { total: number, queued: number, sending: number, sent: number, delivered: number, read: number, failed: number, skipped: number, unknown: number, canceled: number, replied: number }, progress: { total: number, done: number, percent: number | null, preparing: boolean, perMinute: number, etaSeconds: number | null, endsAt: string | null } | null }> } | null, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

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


export type ProjectToRepeatQuery = { sendingProject: { uuid: string, name: string, status: ProjectStatus, channel: ProjectChannel, category: MessageCategory, accountId: string, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, startAt: string | null, startWithinSeconds: number, onMissingVariable: OnMissingVariable, stopOnReply: boolean, variableLabels: unknown, attachmentUuids: Array<string>, audience: { topicUuids: Array<string>, segmentUuids: Array<string>, exceptTopicUuids: Array<string>, exceptSegmentUuids: Array<string>, exceptProjectUuids: Array<string> } | null, template: { name: string, language: string, params: Array<string> } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null }, variants: Array<{ text: string, weight: number }>, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null }, attachments: Array<{ uuid: string, name: string, size: number, url: string }> | null, sourceAccounts: Array<{ uuid: string, name: string, login: string, status: SenderStatus }> | null } | null };

export type CreateRepeatableMutationVariables = Exact<{
  input: NewRepeatableProject;
}>;


export type CreateRepeatableMutation = { createRepeatableSendingProject: { uuid: string } | null };

export type RepeatableToEditQueryVariables = Exact<{
  id: string | number;
}>;


export type RepeatableToEditQuery = { repeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, template: { channel: ProjectChannel, accountId: string | null, accountUuids: Array<string>, from: string | null, sender: string | null, subject: string | null, html: string | null, text: string | null, attachmentUuids: Array<string>, onMissingVariable: OnMissingVariable, stopOnReply: boolean, category: MessageCategory, variants: Array<{ text: string, weight: number }>, template: { name: string, language: string, params: Array<string> } | null, window: { timezone: string, days: Array<number>, from: string, to: string, recipientTimezone: boolean } | null, speed: { perMinute: number | null, perAccountPerMinute: number | null, jitterSeconds: number | null } | null, retry: { maxAttempts: number | null, backoffSeconds: number | null } | null }, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type UpdateRepeatableMutationVariables = Exact<{
  id: string | number;
  input: RepeatablePatch;
}>;


export type UpdateRepeatableMutation = { updateRepeatableSendingProject: { uuid: string, name: string, status: RepeatableStatus, nextRunAt: string | null, lastRunAt: string | null, runs: number, lastError: string | null, createdAt: string, schedule: { rrule: string | null, cron: string | null, timezone: string, startAt: string | null, endAt: string | null, maxRuns: number | null, misfire: Misfire } } | null };

export type ConfiguredRoutesQueryVariables = Exact<{ [key: string]: never; }>;


export type ConfiguredRoutesQuery = { systemRoutes: Array<{ name: string, channel: ProjectChannel, driver: string, label: string, state: RouteState, since: string | null, probeAt: string | null, enabled: boolean, ignoresReceipts: boolean, made: boolean }> | null };

export type RouteReceiptsQueryVariables = Exact<{ [key: string]: never; }>;


export type RouteReceiptsQuery = { routeQuality: Array<{ route: string, prefix: string, sent: number, delivered: number, sentBefore: number, deliveredBefore: number, degradedSince: string | null, retryAt: string | null }> | null };

export type CreateRouteMutationVariables = Exact<{
  input: NewSystemRoute;
}>;


export type CreateRouteMutation = { createSystemRoute: { name: string } | null };

export type DeleteRouteMutationVariables = Exact<{
  name: string;
}>;


export type DeleteRouteMutation = { deleteSystemRoute: boolean | null };

export type SwitchRouteMutationVariables = Exact<{
  name: string;
  enabled: boolean;
}>;


export type SwitchRouteMutation = { setSystemRoute: { name: string, enabled: boolean } | null };

export type IgnoreReceiptsMutationVariables = Exact<{
  name: string;
  ignoresReceipts: boolean;
}>;


export type IgnoreReceiptsMutation = { setSystemRoute: { name: string, ignoresReceipts: boolean } | null };

export type RouteRulePageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: RouteRuleWhere | null | undefined;
}>;


export type RouteRulePageQuery = { routeRules: { totalCount: number, nodes: Array<{ uuid: string, prefix: string, country: string | null, route: string, category: MessageCategory | null, priority: number, weight: number, fallback: boolean, owner: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateRouteRuleMutationVariables = Exact<{
  input: RouteRuleInput;
}>;


export type CreateRouteRuleMutation = { createRouteRule: { uuid: string } | null };

export type UpdateRouteRuleMutationVariables = Exact<{
  id: string | number;
  input: RouteRuleInput;
}>;


export type UpdateRouteRuleMutation = { updateRouteRule: { uuid: string } | null };

export type DeleteRouteRuleMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteRouteRuleMutation = { deleteRouteRule: boolean | null };

export type RouteUsersQueryVariables = Exact<{
  where: UserWhere;
}>;


export type RouteUsersQuery = { users: { nodes: Array<{ uuid: string, email: string }> } | null };

export type RouteForQueryVariables = Exact<{
  input: TraceRoute;
}>;


export type RouteForQuery = { routeFor: { to: string, country: string | null, sender: string | null, senderWhy: string, price: number | null, currency: string | null, pricePrefix: string | null, candidates: Array<{ route: string, use: RouteUse, state: RouteState | null, why: string }>, waits: { message: string } | null, refusal: { code: string, message: string } | null } | null };

export type SenderIdPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: SenderWhere | null | undefined;
  admin: boolean;
}>;


export type SenderIdPageQuery = { senders: { totalCount: number, nodes: Array<{ uuid: string, channel: MessageChannel, kind: SenderKind, value: string, countries: Array<string>, state: SenderState, reason: string | null, createdAt: string, owner?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SameSendersQueryVariables = Exact<{
  value: string;
}>;


export type SameSendersQuery = { senders: { nodes: Array<{ uuid: string, value: string, state: SenderState, owner: { uuid: string, email: string } | null }> } | null };

export type RequestSenderMutationVariables = Exact<{
  input: NewSender;
}>;


export type RequestSenderMutation = { requestSender: { value: string, state: SenderState } | null };

export type UpdateSenderMutationVariables = Exact<{
  id: string | number;
  input: SenderPatch;
}>;


export type UpdateSenderMutation = { updateSender: { value: string, state: SenderState } | null };

export type DecideSenderMutationVariables = Exact<{
  id: string | number;
  input: SenderDecision;
}>;


export type DecideSenderMutation = { decideSender: { value: string, state: SenderState } | null };

export type DeleteSenderIdMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSenderIdMutation = { deleteSender: boolean | null };

export type SenderPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: SourceAccountWhere | null | undefined;
  admin: boolean;
  messengers: boolean;
}>;


export type SenderPageQuery = { sourceAccounts: { totalCount: number, nodes: Array<{ uuid: string, source: string, login: string, name: string, status: SenderStatus, tokenHint: string, createdAt: string, messengerAccount?: { uuid: string, name: string } | null, owner?: { uuid: string, email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PossibleSendersQueryVariables = Exact<{
  where: MessengerAccountWhere;
}>;


export type PossibleSendersQuery = { messengerAccounts: { nodes: Array<{ uuid: string, source: MessengerSource, login: string, name: string, sourceAccounts: { nodes: Array<{ uuid: string }> } | null }> } | null };

export type CreateSenderMutationVariables = Exact<{
  input: NewSourceAccount;
}>;


export type CreateSenderMutation = { createSourceAccount: { uuid: string, name: string } | null };

export type DeleteSenderMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSenderMutation = { deleteSourceAccount: boolean | null };

export type AllSettingsQueryVariables = Exact<{
  scope: Scope;
  account?: string | number | null | undefined;
}>;


export type AllSettingsQuery = { settings: unknown, me: { uuid: string, accounts: { nodes: Array<{ uuid: string, name: string }> } | null } | null };

export type OneSettingQueryVariables = Exact<{
  scope: Scope;
  account?: string | number | null | undefined;
}>;


export type OneSettingQuery = { settings: unknown };

export type SetSettingMutationVariables = Exact<{
  input: SetSetting;
}>;


export type SetSettingMutation = { setSetting: { key: string, value: unknown } | null };

export type DeleteSettingMutationVariables = Exact<{
  input: DeleteSetting;
}>;


export type DeleteSettingMutation = { deleteSetting: boolean | null };

export type StoredValuesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: StorageValueWhere | null | undefined;
}>;


export type StoredValuesQuery = { storageValues: { totalCount: number, nodes: Array<{ key: string, value: unknown, ttlSeconds: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type StoredValueQueryVariables = Exact<{
  key: string;
}>;


export type StoredValueQuery = { storageValue: { key: string, value: unknown, ttlSeconds: number | null } | null };

export type PutStoredValueMutationVariables = Exact<{
  input: PutStorageValue;
}>;


export type PutStoredValueMutation = { putStorageValue: { key: string } | null };

export type DeleteStoredValueMutationVariables = Exact<{
  key: string;
}>;


export type DeleteStoredValueMutation = { deleteStorageValue: boolean | null };

export type DoctorReportQueryVariables = Exact<{
  fresh: boolean;
}>;


export type DoctorReportQuery = { doctor: { version: string, python: string, embedded: boolean, examinedAt: string, leftOut: Array<string>, findings: Array<{ severity: FindingSeverity, topic: string, text: string, advice: string | null }> } | null };

export type SendingQueryVariables = Exact<{ [key: string]: never; }>;


export type SendingQuery = { systemRoutes: Array<{ name: string, driver: string, label: string, state: RouteState, since: string | null, probeAt: string | null, concurrency: number, totalConcurrency: number | null, enabled: boolean }> | null, queueStatistics: { background: Array<{ kind: BackgroundKind, waiting: number, atWork: number, users: number }> } | null, processingHealth: { status: ProcessingStatus, projects: Array<{ uuid: string, status: ProjectStatus, stuck: boolean, lastProgressAt: string | null, workers: Array<string>, project: { uuid: string, name: string } | null }> } | null };

export type AllowlistInUseQueryVariables = Exact<{ [key: string]: never; }>;


export type AllowlistInUseQuery = { ipAllowlist: { mode: string, file: string, entries: number, networks: Array<string>, everyone: boolean, loadedAt: string | null, error: string | null, yourAddress: string | null, yourReason: AllowlistReason | null } | null };

export type AllowlistLinesQueryVariables = Exact<{ [key: string]: never; }>;


export type AllowlistLinesQuery = { ipAllowlistLines: Array<{ at: string, address: string, method: string, path: string, reason: AllowlistReason, blocked: boolean, listed: boolean }> | null };

export type ParseMailReportQueryVariables = Exact<{
  input: ParseMailReport;
}>;


export type ParseMailReportQuery = { parseMailReport: { ignored: MailReportIgnored | null, token: string | null, ours: boolean, message: { messageUuid: string, to: string, state: string } | null, recipients: Array<{ type: MailReportType, bounceClass: MailReportClass | null, address: string | null, status: string | null, code: number | null, diagnostic: string | null }>, effect: { outcome: MailReportOutcome, failureCode: string | null, block: BlockReason | null } | null } | null };

export type TariffFieldsFragment = { code: string, name: string, public: boolean, maxConcurrentProjects: number, maxRecipientsPerProject: number, messagesPerDay: number, messagesPerMinute: number, channels: Array<ProjectChannel>, prices: unknown, priceListId: string | null };

export type OwnTariffQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnTariffQuery = { tariff: { code: string, name: string, maxConcurrentProjects: number, messagesPerDay: number, used: { concurrentProjects: number, messagesToday: number, resetsAt: string } } | null };

export type TariffPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type TariffPageQuery = { tariffs: { nodes: Array<{ code: string, name: string, public: boolean, maxConcurrentProjects: number, maxRecipientsPerProject: number, messagesPerDay: number, messagesPerMinute: number, channels: Array<ProjectChannel>, prices: unknown, priceListId: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneTariffQueryVariables = Exact<{
  code: string;
}>;


export type OneTariffQuery = { tariffs: { nodes: Array<{ code: string, name: string, public: boolean, maxConcurrentProjects: number, maxRecipientsPerProject: number, messagesPerDay: number, messagesPerMinute: number, channels: Array<ProjectChannel>, prices: unknown, priceListId: string | null }> } | null, tariff: { code: string } | null };

export type TariffUsersQueryVariables = Exact<{
  code: string;
}>;


export type TariffUsersQuery = { users: { totalCount: number } | null };

export type SaveTariffMutationVariables = Exact<{
  input: SetTariff;
}>;


export type SaveTariffMutation = { setTariff: { code: string } | null };

export type PriceListRowFragment = { uuid: string, name: string, currency: string, strict: boolean, current: { number: number, size: number, validFrom: string } | null };

export type PriceListPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type PriceListPageQuery = { priceLists: { nodes: Array<{ uuid: string, name: string, currency: string, strict: boolean, current: { number: number, size: number, validFrom: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OnePriceListQueryVariables = Exact<{
  id: string | number;
}>;


export type OnePriceListQuery = { priceList: { uuid: string, name: string, currency: string, strict: boolean, versions: { nodes: Array<{ number: number, size: number, validFrom: string }> } | null, current: { number: number, size: number, validFrom: string } | null } | null };

export type PricesOfListQueryVariables = Exact<{
  id: string | number;
  begins: string;
  version?: number | null | undefined;
  first: number;
}>;


export type PricesOfListQuery = { prices: { nodes: Array<{ channel: PricedChannel, prefix: string, country: string | null, price: number, cost: number | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type CreatePriceListMutationVariables = Exact<{
  input: NewPriceList;
}>;


export type CreatePriceListMutation = { createPriceList: { uuid: string } | null };

export type UpdatePriceListMutationVariables = Exact<{
  id: string | number;
  input: PriceListPatch;
}>;


export type UpdatePriceListMutation = { updatePriceList: { uuid: string } | null };

export type DeletePriceListMutationVariables = Exact<{
  id: string | number;
}>;


export type DeletePriceListMutation = { deletePriceList: boolean | null };

export type AddPriceListVersionMutationVariables = Exact<{
  id: string | number;
  input: NewPriceListVersion;
}>;


export type AddPriceListVersionMutation = { addPriceListVersion: { number: number, size: number, validFrom: string } | null };

export type DeletePriceListVersionMutationVariables = Exact<{
  id: string | number;
  number: number;
}>;


export type DeletePriceListVersionMutation = { deletePriceListVersion: boolean | null };

export type UserRowFragment = { uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string };

export type UserPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: UserWhere | null | undefined;
  count: boolean;
}>;


export type UserPageQuery = { users: { totalCount?: number, nodes: Array<{ uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OneUserQueryVariables = Exact<{
  id: string | number;
}>;


export type OneUserQuery = { user: { uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string, tariff: { code: string, name: string } | null, accounts: { totalCount: number, nodes: Array<{ uuid: string, name: string, balance: number, currency: string, lowBalance: number | null }> } | null } | null };

export type TariffChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type TariffChoicesQuery = { tariffs: { nodes: Array<{ code: string, name: string }> } | null };

export type InviteMutationVariables = Exact<{
  input: Invite;
}>;


export type InviteMutation = { inviteUser: { userId: string, token: string, expiresAt: string } | null };

export type MakeUserMutationVariables = Exact<{
  input: NewUser;
}>;


export type MakeUserMutation = { createUser: { uuid: string } | null };

export type ChangeUserMutationVariables = Exact<{
  id: string | number;
  input: UserPatch;
}>;


export type ChangeUserMutation = { updateUser: { uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string } | null };

export type SuspendMutationVariables = Exact<{
  id: string | number;
}>;


export type SuspendMutation = { suspendUser: { uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string } | null };

export type ActivateMutationVariables = Exact<{
  id: string | number;
}>;


export type ActivateMutation = { activateUser: { uuid: string, email: string, displayName: string, status: UserStatus, roles: Array<Role>, createdAt: string } | null };

export type DeleteUserMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteUserMutation = { deleteUser: boolean | null };

export type GiveTariffMutationVariables = Exact<{
  code: string;
  user: string;
}>;


export type GiveTariffMutation = { setTariff: { code: string, name: string } | null };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitation;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { accessToken: string } | null };

export type CreateFirstUserMutationVariables = Exact<{
  input: FirstUser;
}>;


export type CreateFirstUserMutation = { createFirstUser: { accessToken: string } | null };

export type RequestPasswordResetMutationVariables = Exact<{
  input: PasswordResetRequest;
}>;


export type RequestPasswordResetMutation = { requestPasswordReset: boolean | null };

export type ResetPasswordMutationVariables = Exact<{
  input: NewPassword;
}>;


export type ResetPasswordMutation = { resetPassword: boolean | null };

export type InvitedUserQueryVariables = Exact<{ [key: string]: never; }>;


export type InvitedUserQuery = { me: { email: string, uuid: string } | null };

export type EndInvitedLoginMutationVariables = Exact<{ [key: string]: never; }>;


export type EndInvitedLoginMutation = { logout: boolean | null };

export type AuditRowFragment = { uuid: string, createdAt: string, ownerId: string | null, actorId: string | null, actorEmail: string | null, actorKind: AuditActorKind, tokenId: string | null, operation: string, objectType: string, objectId: string | null, result: AuditResult, code: string | null, ip: string | null, changes: unknown, actor?: { email: string } | null };

export type AuditPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  where?: AuditEntryWhere | null | undefined;
  actors: boolean;
}>;


export type AuditPageQuery = { auditEntries: { nodes: Array<{ uuid: string, createdAt: string, ownerId: string | null, actorId: string | null, actorEmail: string | null, actorKind: AuditActorKind, tokenId: string | null, operation: string, objectType: string, objectId: string | null, result: AuditResult, code: string | null, ip: string | null, changes: unknown, actor?: { email: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ActorsQueryVariables = Exact<{ [key: string]: never; }>;


export type ActorsQuery = { members: { nodes: Array<{ uuid: string, userUuid: string | null, email: string }> } | null };

export type UploadListMutationVariables = Exact<{
  file: File;
}>;


export type UploadListMutation = { uploadFile: { uuid: string, name: string, size: number } | null };

export type ExportFilesQueryVariables = Exact<{
  where: ExportLinkWhere;
  first: number;
}>;


export type ExportFilesQuery = { exportLinks: { nodes: Array<{ uuid: string, source: string, status: ExportStatus, statusReason: string | null, format: ExportFormat, total: number, done: number, url: string | null, createdAt: string }> } | null };

export type StartExportMutationVariables = Exact<{
  input: StartExport;
}>;


export type StartExportMutation = { startExport: { uuid: string, status: ExportStatus } | null };

export type CancelExportMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelExportMutation = { cancelExport: { uuid: string, status: ExportStatus } | null };

export type ExportColumnsQueryVariables = Exact<{
  source: string;
}>;


export type ExportColumnsQuery = { exportVariables: Array<{ name: string, label: string, example: string }> | null };

export type OneImportQueryVariables = Exact<{
  id: string | number;
}>;


export type OneImportQuery = { recipientImport: { uuid: string, status: ImportStatus, statusReason: string | null, fileName: string | null, total: number, valid: number, invalid: number, duplicates: number, contacts: { created: number, changed: number, unchanged: number, subscribed: number, suppressed: number } | null } | null };

export type BadRowsQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
}>;


export type BadRowsQuery = { recipientImport: { uuid: string, rows: { nodes: Array<{ line: number, error: { code: string, message: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CountriesQueryVariables = Exact<{
  language?: string | null | undefined;
}>;


export type CountriesQuery = { countries: Array<{ code: string, name: string, dialCode: string }> | null };

export type SendingChannelsQueryVariables = Exact<{ [key: string]: never; }>;


export type SendingChannelsQuery = { sendingChannels: Array<{ channel: ProjectChannel, sandbox: boolean, setting: string }> | null };

export type PermissionsQueryVariables = Exact<{ [key: string]: never; }>;


export type PermissionsQuery = { permissions: Array<{ name: string, description: string, presets: Array<TokenPreset>, granted: boolean }> | null };

export type SegmentChoicesQueryVariables = Exact<{
  where?: SegmentWhere | null | undefined;
}>;


export type SegmentChoicesQuery = { newest: { nodes: Array<{ uuid: string, name: string }> } | null, oldest: { nodes: Array<{ uuid: string, name: string }> } | null };

export type SenderDomainsQueryVariables = Exact<{
  where: DomainWhere;
  senders: SenderWhere;
}>;


export type SenderDomainsQuery = { domains: { nodes: Array<{ name: string, status: DomainStatus }> } | null, senders: { nodes: Array<{ value: string }> } | null };

export type ApprovedSendersQueryVariables = Exact<{
  where: SenderWhere;
}>;


export type ApprovedSendersQuery = { senders: { nodes: Array<{ value: string }> } | null };

export type SenderChoiceQueryVariables = Exact<{
  to: string;
  sender?: string | null | undefined;
}>;


export type SenderChoiceQuery = { senderChoice: { sender: string | null, kind: SenderKind | null, country: string | null, why: string } | null };

export type VerifySecondFactorMutationVariables = Exact<{
  input: SecondFactorCode;
}>;


export type VerifySecondFactorMutation = { verifySecondFactor: { freshUntil: string } | null };

export type LogoutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutEverywhereMutation = { logoutEverywhere: boolean | null };

export type TopicRowFragment = { uuid: string, key: string, name: string, description: string | null, category: MessageCategory, optIn: TopicOptIn, public: boolean, position: number, translations: Array<{ locale: string, name: string, description: string | null }> };

export type TopicsQueryVariables = Exact<{
  where?: TopicWhere | null | undefined;
}>;


export type TopicsQuery = { topics: { nodes: Array<{ uuid: string, key: string, name: string, description: string | null, category: MessageCategory, optIn: TopicOptIn, public: boolean, position: number, translations: Array<{ locale: string, name: string, description: string | null }> }> } | null };

export type QueueQueryVariables = Exact<{ [key: string]: never; }>;


export type QueueQuery = { queueStatistics: { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> } | null };

export type QueueChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type QueueChangedSubscription = { queueStatisticsChanged: { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> } };

export type QueueFieldsFragment = { queued: number, sending: number, oldestQueuedSeconds: number, perMinute: number, workers: Array<{ name: string, units: number, lastSeenAt: string | null }>, routes: Array<{ name: string, state: RouteState, since: string | null, probeAt: string | null }> };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { me: { uuid: string, email: string, displayName: string, locale: string | null, roles: Array<Role> } | null, memberships: Array<{ uuid: string, ownerUuid: string, ownerEmail: string, ownerName: string, role: MemberRole, permissions: Array<string> }> | null };

export const AccountRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AccountRowFragment, unknown>;
export const SignupFormRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SignupFormRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignupForm"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"redirectUrl"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}}]} as unknown as DocumentNode<SignupFormRowFragment, unknown>;
export const SegmentRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SegmentRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Segment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"filter"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"countedAt"}}]}}]} as unknown as DocumentNode<SegmentRowFragment, unknown>;
export const CountryRuleFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryRuleFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CountryRule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allow"}},{"kind":"Field","name":{"kind":"Name","value":"deny"}},{"kind":"Field","name":{"kind":"Name","value":"perHour"}},{"kind":"Field","name":{"kind":"Name","value":"perDay"}}]}}]} as unknown as DocumentNode<CountryRuleFieldsFragment, unknown>;
export const TokenRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TokenRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"hint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"networks"}},{"kind":"Field","name":{"kind":"Name","value":"accountIds"}},{"kind":"Field","name":{"kind":"Name","value":"spendPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedIp"}},{"kind":"Field","name":{"kind":"Name","value":"lastRefusedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRefusal"}}]}}]} as unknown as DocumentNode<TokenRowFragment, unknown>;
export const HookFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Hook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"batch"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"payingAccountId"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccountUuid"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"events"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<HookFragment, unknown>;
export const FindingFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DomainFinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"recordName"}},{"kind":"Field","name":{"kind":"Name","value":"recordValue"}}]}}]} as unknown as DocumentNode<FindingFieldsFragment, unknown>;
export const SinkFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Sink"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EventSink"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"stream"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"makeStream"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"duplicateWindowSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"publishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lag"}},{"kind":"Field","name":{"kind":"Name","value":"ratePerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"published"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}}]}}]}}]} as unknown as DocumentNode<SinkFragment, unknown>;
export const InboxAnswerFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAnswer"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"shortcut"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]} as unknown as DocumentNode<InboxAnswerFragment, unknown>;
export const InboxAccountFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"next"}}]}}]} as unknown as DocumentNode<InboxAccountFragment, unknown>;
export const InboxLabelFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]} as unknown as DocumentNode<InboxLabelFragment, unknown>;
export const InboxChatFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]} as unknown as DocumentNode<InboxChatFragment, unknown>;
export const InboxMessageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}}]} as unknown as DocumentNode<InboxMessageFragment, unknown>;
export const InboxNoteFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxNote"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatNote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"authorId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"authors"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InboxNoteFragment, unknown>;
export const MemberRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemberRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Member"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"hasOwnPermissions"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"joinedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<MemberRowFragment, unknown>;
export const DirectRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectRowFragment, unknown>;
export const RecordRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordRowFragment, unknown>;
export const AttemptFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttemptFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FailedAttempt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}}]}}]} as unknown as DocumentNode<AttemptFieldsFragment, unknown>;
export const DeliveryFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]} as unknown as DocumentNode<DeliveryFieldsFragment, unknown>;
export const ReportFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReportFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailReport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"bounceClass"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"diagnostic"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ReportFieldsFragment, unknown>;
export const MessengerRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<MessengerRowFragment, unknown>;
export const AttentionAccountFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttentionAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}}]}}]} as unknown as DocumentNode<AttentionAccountFragment, unknown>;
export const ProjectRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectRowFragment, unknown>;
export const ProjectOwnSettingsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}}]} as unknown as DocumentNode<ProjectOwnSettingsFragment, unknown>;
export const ProjectFilesFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]} as unknown as DocumentNode<ProjectFilesFragment, unknown>;
export const ProjectSendersFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSendersFragment, unknown>;
export const ProjectSettingsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSettingsFragment, unknown>;
export const RepeatableRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableRowFragment, unknown>;
export const TariffFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TariffFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tariff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentProjects"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecipientsPerProject"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}},{"kind":"Field","name":{"kind":"Name","value":"priceListId"}}]}}]} as unknown as DocumentNode<TariffFieldsFragment, unknown>;
export const PriceListRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PriceListRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"strict"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]} as unknown as DocumentNode<PriceListRowFragment, unknown>;
export const UserRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<UserRowFragment, unknown>;
export const AuditRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"actorId"}},{"kind":"Field","name":{"kind":"Name","value":"actorEmail"}},{"kind":"Field","name":{"kind":"Name","value":"actorKind"}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"actors"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokenId"}},{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"objectType"}},{"kind":"Field","name":{"kind":"Name","value":"objectId"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"changes"}}]}}]} as unknown as DocumentNode<AuditRowFragment, unknown>;
export const TopicRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TopicRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Topic"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"optIn"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"translations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<TopicRowFragment, unknown>;
export const QueueFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueFieldsFragment, unknown>;
export const AccountPageDocument = {"__meta__":{"hash":"sha256:1faf6bbc6d56ad1936d40e00ebe40afb3118ad3c94e04b39212152069afa4b38"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AccountPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AccountWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"count"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"count"}}}]}]}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AccountPageQuery, AccountPageQueryVariables>;
export const OwnerOfDocument = {"__meta__":{"hash":"sha256:43e77f3eda247b40feaa6418e336003992f5c71da530ca3c45a625a04d536b16"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnerOf"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<OwnerOfQuery, OwnerOfQueryVariables>;
export const OneAccountDocument = {"__meta__":{"hash":"sha256:96b676d8b1073b73a7a51227a3842338cfac4f0973b211c92953eab5b54e5f68"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<OneAccountQuery, OneAccountQueryVariables>;
export const LedgerPageDocument = {"__meta__":{"hash":"sha256:319faf3a658a08519665425fb6b9bbcf6ce9e91fd1f46acfcdcbb0b2588133cf"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LedgerPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"LedgerWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messages"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projects"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ledger"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"entryCount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"projectCost"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"charged"}},{"kind":"Field","name":{"kind":"Name","value":"refunded"}},{"kind":"Field","name":{"kind":"Name","value":"entries"}}]}},{"kind":"Field","name":{"kind":"Name","value":"message"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messages"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projects"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"creator"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<LedgerPageQuery, LedgerPageQueryVariables>;
export const ProjectEntriesDocument = {"__meta__":{"hash":"sha256:f28484abe16d95a68f932489ca87c8c6fb150f9d282cd04335c939f7a39ab62c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectEntries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"project"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ledger"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"projectId"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"project"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProjectEntriesQuery, ProjectEntriesQueryVariables>;
export const AccountMovedDocument = {"__meta__":{"hash":"sha256:a76055f1c2df2de16f490f5ee5aeef3d2f23ec656bb33f89b9de90f6b619541a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"AccountMoved"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<AccountMovedSubscription, AccountMovedSubscriptionVariables>;
export const OpenAccountDocument = {"__meta__":{"hash":"sha256:53f0e49ac676d339b04a0c713b7141d716e5160db148b4a1800889441c8d91b9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OpenAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewAccount"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<OpenAccountMutation, OpenAccountMutationVariables>;
export const ChangeAccountDocument = {"__meta__":{"hash":"sha256:f87caa5253c88e0e8c57fec7747788460906988057d89b49d1b937631df9eaf6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AccountPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ChangeAccountMutation, ChangeAccountMutationVariables>;
export const SetLowBalanceDocument = {"__meta__":{"hash":"sha256:1d70713fcf7cd2016537363097f5a2abd43a92c62e315d0605f8705b5345d344"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetLowBalance"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"below"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setLowBalance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"below"},"value":{"kind":"Variable","name":{"kind":"Name","value":"below"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<SetLowBalanceMutation, SetLowBalanceMutationVariables>;
export const CreditAccountDocument = {"__meta__":{"hash":"sha256:03a362313e31766f822e50ba601335e1a613e7291b52345384c19a7453c2e49f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreditAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Credit"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"creditAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<CreditAccountMutation, CreditAccountMutationVariables>;
export const CurrenciesDocument = {"__meta__":{"hash":"sha256:0fc496c9361b06f98177917e53f692017987826a8a2a93899079505a28eb488c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Currencies"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"language"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currencies"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"language"},"value":{"kind":"Variable","name":{"kind":"Name","value":"language"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<CurrenciesQuery, CurrenciesQueryVariables>;
export const BlockPageDocument = {"__meta__":{"hash":"sha256:8a8427689579b14b16b9ce16427192dfa2a353926ec9b2323a7513513c4cdf25"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BlockPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockedPhoneWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockedPhones"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<BlockPageQuery, BlockPageQueryVariables>;
export const BlockGroupsDocument = {"__meta__":{"hash":"sha256:fa3d3cd713f7e4e9ca04fbd20a9764cb71efff9b000c5d54f33151ed8d1d277b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BlockGroups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockedPhoneSummary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"newestAt"}}]}}]}}]}}]} as unknown as DocumentNode<BlockGroupsQuery, BlockGroupsQueryVariables>;
export const BlockDocument = {"__meta__":{"hash":"sha256:838572e490ec9369046953241347785f2985eef3bd74d13dfede3b19ce5e654f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Block"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"phone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockPhone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockPhone"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"phone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"phone"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<BlockMutation, BlockMutationVariables>;
export const BlockPhonesDocument = {"__meta__":{"hash":"sha256:46965eb08d48837c97409502313a458971e3e2e9103128f9ae3646bed3ed7459"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BlockPhones"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockMany"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockPhones"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"}},{"kind":"Field","name":{"kind":"Name","value":"changed"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"nextLine"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"place"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<BlockPhonesMutation, BlockPhonesMutationVariables>;
export const UnblockPhonesDocument = {"__meta__":{"hash":"sha256:3b651718a9fa510a2e7bf2af23892611db888858957084c36d1586cad9c3901e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UnblockPhones"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UnblockMany"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unblockPhones"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removed"}}]}}]}}]} as unknown as DocumentNode<UnblockPhonesMutation, UnblockPhonesMutationVariables>;
export const ReadBlockFileDocument = {"__meta__":{"hash":"sha256:c4196c792ec5260e935677daa50dcf36b539f483e03c694046127c9bc5d17a33"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReadBlockFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ReadBlockFileMutation, ReadBlockFileMutationVariables>;
export const BlockFileDocument = {"__meta__":{"hash":"sha256:3289a30bd1c357739d6905b9adc0082795c93f1669bb17b81606218fc05e0d49"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BlockFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"valid"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<BlockFileQuery, BlockFileQueryVariables>;
export const ForgetBlockFileDocument = {"__meta__":{"hash":"sha256:250123c3e762628c4a9ba00a81366c71c79de0ebf66c33f7b6ea75c2a73b6f46"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ForgetBlockFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"file"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteRecipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]},{"kind":"Field","name":{"kind":"Name","value":"deleteFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"file"}}}]}]}}]} as unknown as DocumentNode<ForgetBlockFileMutation, ForgetBlockFileMutationVariables>;
export const ContactSubscriptionsDocument = {"__meta__":{"hash":"sha256:341e42df0695d6332011600126a10e7311829afeb2ce9e327b27409e0a4411d5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactSubscriptions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TopicSubscriptionWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicSubscriptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"changedAt"}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ContactSubscriptionsQuery, ContactSubscriptionsQueryVariables>;
export const ConsentHistoryDocument = {"__meta__":{"hash":"sha256:99745284263093e7f263e1293feac9fea92597872bae046401335b1a6e28ab02"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConsentHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsentEntryWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consentEntries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"topic"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ConsentHistoryQuery, ConsentHistoryQueryVariables>;
export const SubscribeContactsDocument = {"__meta__":{"hash":"sha256:a8981290f8a42eabaa739d6351882891020865aca72669e4568076c2dbc9ccc3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SubscribeContacts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SubscribeContacts"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscribeContacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"pending"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactUuid"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<SubscribeContactsMutation, SubscribeContactsMutationVariables>;
export const UnsubscribeContactsDocument = {"__meta__":{"hash":"sha256:9d1ae484b9187a0f1b66357a1ae11d2fc184f6edf3d35ce0443fe6bc29fbfc7d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UnsubscribeContacts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UnsubscribeContacts"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unsubscribeContacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"withdrawn"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactUuid"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<UnsubscribeContactsMutation, UnsubscribeContactsMutationVariables>;
export const ContactPageDocument = {"__meta__":{"hash":"sha256:fa0bf9e8b3483371bf368cd5a68f10545b3ab943d955a1de60561e686f5eed8c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ContactWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ContactOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"externalId"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<ContactPageQuery, ContactPageQueryVariables>;
export const ContactFieldsDocument = {"__meta__":{"hash":"sha256:566322d793040a6da284f07a8a29de578bd78581192cbcb29e27ff562c0f28ce"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactFields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactFields"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"asc"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"label"}}]}}]}}]}}]} as unknown as DocumentNode<ContactFieldsQuery, ContactFieldsQueryVariables>;
export const OneContactDocument = {"__meta__":{"hash":"sha256:05b041c55e42ad55bc7e39152cffeed152ac3e5594b264415c3125ce2ae58237"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneContact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contact"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"externalId"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"fields"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"primary"}},{"kind":"Field","name":{"kind":"Name","value":"verifiedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<OneContactQuery, OneContactQueryVariables>;
export const ContactTimelineDocument = {"__meta__":{"hash":"sha256:16c2282fedf4c8be9d3c139d542276772ce12bf677a39c5690e20b34aee0a635"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactTimeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactTimeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"contactId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"uuid"},"name":{"kind":"Name","value":"objectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"projectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ContactTimelineQuery, ContactTimelineQueryVariables>;
export const FindContactDocument = {"__meta__":{"hash":"sha256:07ab6228e9aaa2db5faa13e872c25f7a5f7bee2134413ba32341aec683a99fd0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindContact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"address"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"address"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"address"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<FindContactQuery, FindContactQueryVariables>;
export const UpsertContactDocument = {"__meta__":{"hash":"sha256:1853543f04bdb75f3ba37901cc544a852a7971812ffe773474b9075ea753fd2a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpsertContact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpsertContact"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"upsertContact"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpsertContactMutation, UpsertContactMutationVariables>;
export const UpdateContactDocument = {"__meta__":{"hash":"sha256:0be29aae2809e801fa9230f4b0ede150fa268842f1a02be7c96350f7ba857b85"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateContact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ContactPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateContact"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdateContactMutation, UpdateContactMutationVariables>;
export const MergeContactsDocument = {"__meta__":{"hash":"sha256:1d3c7f6daaed23eff408b72a6db1231edef33be6fb731fed3ef29942303287d7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MergeContacts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MergeContact"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mergeContacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<MergeContactsMutation, MergeContactsMutationVariables>;
export const DeleteContactDocument = {"__meta__":{"hash":"sha256:928bdc43e3751214c2deb1f5e880ef78da3ba2e108010e0458e6fcc16956c60c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteContact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteContact"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteContactMutation, DeleteContactMutationVariables>;
export const CreateContactFieldDocument = {"__meta__":{"hash":"sha256:449fad082dc43ce72b1fe9f27bbfb548add67cd79d2f13968290138eb27b3e35"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateContactField"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewContactField"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createContactField"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateContactFieldMutation, CreateContactFieldMutationVariables>;
export const ErasuresDocument = {"__meta__":{"hash":"sha256:74f4c20915bc558fe9d797972411905441ef139e4bfc98710f32f93ae4350c0c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Erasures"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ErasureWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"erasures"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"contactId"}},{"kind":"Field","name":{"kind":"Name","value":"requestedBy"}},{"kind":"Field","name":{"kind":"Name","value":"counts"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<ErasuresQuery, ErasuresQueryVariables>;
export const OneErasureDocument = {"__meta__":{"hash":"sha256:0b4c330f77366dda121bcb2fbfd643e248a6e94ec30e8fedca0a6aa5e7f74b8d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneErasure"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"erasure"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"notErased"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}}]}}]} as unknown as DocumentNode<OneErasureQuery, OneErasureQueryVariables>;
export const ErasePersonDocument = {"__meta__":{"hash":"sha256:8794d4b1d863f0db61638a8c0ff5aedbd8fc53c94f8820976aa12a6181af768b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ErasePerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ErasePerson"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"erasePerson"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ErasePersonMutation, ErasePersonMutationVariables>;
export const SignupFormsDocument = {"__meta__":{"hash":"sha256:32b18b67ad2778f38ace58bd1d83afa7ac46aef7c807bce10137c4b142283398"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SignupForms"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SignupFormWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signupForms"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SignupFormRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SignupFormRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignupForm"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"redirectUrl"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}}]} as unknown as DocumentNode<SignupFormsQuery, SignupFormsQueryVariables>;
export const CreateSignupFormDocument = {"__meta__":{"hash":"sha256:cd75e15754621186bdc2a07f571a655e07abf41447852c93fd37c6dbca0b49ed"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSignupForm"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSignupForm"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSignupForm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateSignupFormMutation, CreateSignupFormMutationVariables>;
export const UpdateSignupFormDocument = {"__meta__":{"hash":"sha256:a29d2ebaff46f7cf02baf71e4fdae5a4bb073089fb2858182c11b33da7f593aa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSignupForm"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SignupFormPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSignupForm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdateSignupFormMutation, UpdateSignupFormMutationVariables>;
export const DeleteSignupFormDocument = {"__meta__":{"hash":"sha256:21ffcfbb880cf0e4a3add770d6eeda72b9e29988262b66214e27866b886041c7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSignupForm"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSignupForm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteSignupFormMutation, DeleteSignupFormMutationVariables>;
export const PreviewContactsDocument = {"__meta__":{"hash":"sha256:73999b3c7e2c8b2f63131c9fbff14d03968d5ec96217c25a4ac95234507a4681"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewContacts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewContactImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewContactImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"headerRow"}},{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"samples"}}]}},{"kind":"Field","name":{"kind":"Name","value":"mapping"}}]}}]}}]} as unknown as DocumentNode<PreviewContactsQuery, PreviewContactsQueryVariables>;
export const ImportContactsDocument = {"__meta__":{"hash":"sha256:584b6fdeaca2727561220b380161a30c212890ce37a260ace09bb712d6709fd5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportContacts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewContactImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importContacts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ImportContactsMutation, ImportContactsMutationVariables>;
export const SegmentPageDocument = {"__meta__":{"hash":"sha256:23ab7e6e5b8fabdaeeb7ebb49fba6b04e1acf2b25e2775f5b955af4080532e06"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SegmentPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SegmentWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SegmentRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SegmentRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Segment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"filter"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"countedAt"}}]}}]} as unknown as DocumentNode<SegmentPageQuery, SegmentPageQueryVariables>;
export const TrySegmentDocument = {"__meta__":{"hash":"sha256:91acdf3fd898c70e89dc24fd2fd155c88303c55fda4da969902d1709da59e952"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TrySegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PreviewSegment"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segmentPreview"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"sample"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]}}]}}]} as unknown as DocumentNode<TrySegmentQuery, TrySegmentQueryVariables>;
export const SegmentProjectsDocument = {"__meta__":{"hash":"sha256:b184d755a14aab8542fb1cd01d1156e7f6e8c9121db37a3cf8e19131622de31e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SegmentProjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"newest"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"chosen"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"any"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"newest"},"name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"newest"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"chosen"},"name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"chosen"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"any"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<SegmentProjectsQuery, SegmentProjectsQueryVariables>;
export const CreateSegmentDocument = {"__meta__":{"hash":"sha256:d366368f16a7d923989e657fb3cce22ea2988cf6fc5b1f975200288ad0571e36"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSegment"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSegment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateSegmentMutation, CreateSegmentMutationVariables>;
export const UpdateSegmentDocument = {"__meta__":{"hash":"sha256:ec7f435249ebe038b5edda2799e3c52ae26243f68ec4d6108aff250821d7e4aa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SegmentPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSegment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdateSegmentMutation, UpdateSegmentMutationVariables>;
export const CountSegmentDocument = {"__meta__":{"hash":"sha256:28eef26cd48bd2a21f44ab9a977376ad05b469f28071fa32e261380d9d6b42be"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CountSegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countSegment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SegmentRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SegmentRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Segment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"filter"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"countedAt"}}]}}]} as unknown as DocumentNode<CountSegmentMutation, CountSegmentMutationVariables>;
export const DeleteSegmentDocument = {"__meta__":{"hash":"sha256:d582aff9c0a16a6b1f46cfd4775f0d2be6a910f49e8d001ed46939fdf06ef6f0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSegment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteSegmentMutation, DeleteSegmentMutationVariables>;
export const OneTopicDocument = {"__meta__":{"hash":"sha256:abb92e0d93ffe56097c789e44a1a9d2c2ddb4eb7eeac275bf6e5ef0af7600930"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneTopic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topic"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TopicRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TopicRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Topic"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"optIn"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"translations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<OneTopicQuery, OneTopicQueryVariables>;
export const CreateTopicDocument = {"__meta__":{"hash":"sha256:b3b6fee3910ef0b1a3af227ffeb8a14abe4e301b140df36e15249722358c7302"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTopic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewTopic"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTopic"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateTopicMutation, CreateTopicMutationVariables>;
export const UpdateTopicDocument = {"__meta__":{"hash":"sha256:c02f410a3befeb19e3cfcd6efe299605200a96b8bf727127d6721c5946365376"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTopic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TopicPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTopic"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdateTopicMutation, UpdateTopicMutationVariables>;
export const DeleteTopicDocument = {"__meta__":{"hash":"sha256:2767cab135b73df09659ee08f55aa30261c9e2e3b7d27a280aad5e81a995092b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteTopic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteTopic"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteTopicMutation, DeleteTopicMutationVariables>;
export const SubscribersDocument = {"__meta__":{"hash":"sha256:43538e4e92414706486829c78e8c8f7be218e1f22f78d34f6091bba1b9846a2e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Subscribers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TopicSubscriptionWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicSubscriptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"changedAt"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"externalId"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<SubscribersQuery, SubscribersQueryVariables>;
export const PreferencesPreviewDocument = {"__meta__":{"hash":"sha256:94c494a9630347dbe19d5e1717ee8c43317f0f6a0002ba0908d622e3572d787e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreferencesPreview"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"preferencesPreview"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}}]}},{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"selfService"}}]}}]}}]} as unknown as DocumentNode<PreferencesPreviewQuery, PreferencesPreviewQueryVariables>;
export const SaveSelfServiceDocument = {"__meta__":{"hash":"sha256:efa0ae6d50ffeeef3cf3aa42117b564fe54e02bc999f4d84ff025307f2dd0043"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveSelfService"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"selfService"}}]}}]}}]} as unknown as DocumentNode<SaveSelfServiceMutation, SaveSelfServiceMutationVariables>;
export const CountryRulesPageDocument = {"__meta__":{"hash":"sha256:7c7a10b6b05baf5d0f8f7c8e33febf390e2e6659ec5f94d680b29e8b73ebec4f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CountryRulesPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"user"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countryRules"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"userUuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"user"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"installation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryRuleFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"own"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryRuleFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"effective"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryRuleFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"limited"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ownerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"cap"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryRuleFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CountryRule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allow"}},{"kind":"Field","name":{"kind":"Name","value":"deny"}},{"kind":"Field","name":{"kind":"Name","value":"perHour"}},{"kind":"Field","name":{"kind":"Name","value":"perDay"}}]}}]} as unknown as DocumentNode<CountryRulesPageQuery, CountryRulesPageQueryVariables>;
export const CountryUserDocument = {"__meta__":{"hash":"sha256:8002ea0f9f5645a3d300dd2a61954a9ff0bf69bb15538b785ccbbec66fd0f4a5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CountryUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<CountryUserQuery, CountryUserQueryVariables>;
export const SaveCountryRulesDocument = {"__meta__":{"hash":"sha256:aefed2e7417ccf32f51175b0df1e539d16bad62be5030114fe7e768a1d0125c3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveCountryRules"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetCountryRules"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setCountryRules"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"own"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryRuleFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryRuleFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CountryRule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allow"}},{"kind":"Field","name":{"kind":"Name","value":"deny"}},{"kind":"Field","name":{"kind":"Name","value":"perHour"}},{"kind":"Field","name":{"kind":"Name","value":"perDay"}}]}}]} as unknown as DocumentNode<SaveCountryRulesMutation, SaveCountryRulesMutationVariables>;
export const CheckCountryDocument = {"__meta__":{"hash":"sha256:6ab476b808dbfff0057a47983249c0c8c9a923cdac9c337a7b2fe6cbcb25b8d2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckCountry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"user"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkCountry"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"userUuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"user"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"allowed"}},{"kind":"Field","name":{"kind":"Name","value":"refusedBy"}},{"kind":"Field","name":{"kind":"Name","value":"leftThisHour"}},{"kind":"Field","name":{"kind":"Name","value":"leftToday"}}]}}]}}]} as unknown as DocumentNode<CheckCountryQuery, CheckCountryQueryVariables>;
export const DeliverabilityByProviderDocument = {"__meta__":{"hash":"sha256:9cd082fa971de48e10c0048d383bd03710fd3fd5d9eba7ec49e57a0ab46a3646"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeliverabilityByProvider"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deliverability"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"degraded"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providerClass"}},{"kind":"Field","name":{"kind":"Name","value":"accepted"}},{"kind":"Field","name":{"kind":"Name","value":"policy"}},{"kind":"Field","name":{"kind":"Name","value":"complaints"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providerClass"}},{"kind":"Field","name":{"kind":"Name","value":"accepted"}},{"kind":"Field","name":{"kind":"Name","value":"deferred"}},{"kind":"Field","name":{"kind":"Name","value":"bounced"}},{"kind":"Field","name":{"kind":"Name","value":"hard"}},{"kind":"Field","name":{"kind":"Name","value":"mailboxFull"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"policy"}},{"kind":"Field","name":{"kind":"Name","value":"soft"}},{"kind":"Field","name":{"kind":"Name","value":"complaints"}},{"kind":"Field","name":{"kind":"Name","value":"rescued"}},{"kind":"Field","name":{"kind":"Name","value":"bounceRate"}},{"kind":"Field","name":{"kind":"Name","value":"complaintRate"}},{"kind":"Field","name":{"kind":"Name","value":"complaintLevel"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"deliverabilityByProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"accepted"}},{"kind":"Field","name":{"kind":"Name","value":"bounced"}},{"kind":"Field","name":{"kind":"Name","value":"complaints"}},{"kind":"Field","name":{"kind":"Name","value":"bounceRate"}},{"kind":"Field","name":{"kind":"Name","value":"complaintRate"}},{"kind":"Field","name":{"kind":"Name","value":"complaintLevel"}}]}}]}}]}}]} as unknown as DocumentNode<DeliverabilityByProviderQuery, DeliverabilityByProviderQueryVariables>;
export const FeedStateDocument = {"__meta__":{"hash":"sha256:146ba130a25ac1d9bad1ca86965ba3e79d894728100c4603aa17a72e43c5ec87"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FeedState"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recording"}},{"kind":"Field","name":{"kind":"Name","value":"recordingSince"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"nearlyFull"}},{"kind":"Field","name":{"kind":"Name","value":"retentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"oldest"}},{"kind":"Field","name":{"kind":"Name","value":"newest"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"when"}}]}}]}}]} as unknown as DocumentNode<FeedStateQuery, FeedStateQueryVariables>;
export const WatchEventsDocument = {"__meta__":{"hash":"sha256:0d9bf288cc98182519de9989a55830f5f2722997b3c6f5a3a385ad19d0cd27d8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WatchEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"types"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"types"},"value":{"kind":"Variable","name":{"kind":"Name","value":"types"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"subjectId"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}}]}}]} as unknown as DocumentNode<WatchEventsSubscription, WatchEventsSubscriptionVariables>;
export const EnableEventsDocument = {"__meta__":{"hash":"sha256:c7e81daf4c7623cd047bc78688f9dc81d02da6ba368fc2dc40da3aae4a3126c2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EnableEvents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"enableEvents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recording"}}]}}]}}]} as unknown as DocumentNode<EnableEventsMutation, EnableEventsMutationVariables>;
export const DisableEventsDocument = {"__meta__":{"hash":"sha256:ba839e8bdb48e732e2bc85733b85c77d4698304f37d5cc29d8d2eac9eeab8605"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DisableEvents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"disableEvents"}}]}}]} as unknown as DocumentNode<DisableEventsMutation, DisableEventsMutationVariables>;
export const HookSecretsDocument = {"__meta__":{"hash":"sha256:112bef66533a29f3764f6d470a2c315020cb8c5e54f3e6f7e92e11100136e766"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"HookSecrets"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"HookSecretWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hookSecrets"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"hint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]}}]}}]} as unknown as DocumentNode<HookSecretsQuery, HookSecretsQueryVariables>;
export const RotateHookSecretDocument = {"__meta__":{"hash":"sha256:66215318ffd541b6e5bbeed1b824bbffa1524b0091a6c9af3fb2b3a8dff3aa63"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateHookSecret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateHookSecret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<RotateHookSecretMutation, RotateHookSecretMutationVariables>;
export const CreateHookKeyDocument = {"__meta__":{"hash":"sha256:cba0ab8998f9b149e5ac082a3020b0ad93ba342cb4e1c1443325cb649e2fed47"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateHookKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createHookKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<CreateHookKeyMutation, CreateHookKeyMutationVariables>;
export const RevokeHookSecretDocument = {"__meta__":{"hash":"sha256:80ed5ac1b178df73522b1149638dc06d10078e5987a16cbfc79ac10116867986"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeHookSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeHookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RevokeHookSecretMutation, RevokeHookSecretMutationVariables>;
export const HookMakersDocument = {"__meta__":{"hash":"sha256:bda3cdd62e03a5de3fe2e11732cef19d6f61656b90eea48c7c95241687490a8f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"HookMakers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"joined"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":true}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userUuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<HookMakersQuery, HookMakersQueryVariables>;
export const ProviderRoutesDocument = {"__meta__":{"hash":"sha256:4ff0ee63a39eb12a23e2ddd37024f79679562aecbaa4d62897fac71a111f1e75"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProviderRoutes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ProviderRoutesQuery, ProviderRoutesQueryVariables>;
export const PayingAccountsDocument = {"__meta__":{"hash":"sha256:611d30d5f8b81860853d55bb6ab1c53131a69ddd6e9e8ecebea4f373e4b36e80"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PayingAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]}}]} as unknown as DocumentNode<PayingAccountsQuery, PayingAccountsQueryVariables>;
export const TokensDocument = {"__meta__":{"hash":"sha256:20da44dccce855197bbe870d3959bb961bc3b914cf09fd169e7b234d53ee79f8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Tokens"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ApiTokenWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TokenRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TokenRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"hint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"networks"}},{"kind":"Field","name":{"kind":"Name","value":"accountIds"}},{"kind":"Field","name":{"kind":"Name","value":"spendPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedIp"}},{"kind":"Field","name":{"kind":"Name","value":"lastRefusedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRefusal"}}]}}]} as unknown as DocumentNode<TokensQuery, TokensQueryVariables>;
export const CreateTokenDocument = {"__meta__":{"hash":"sha256:aada140c07fc90f151bb51e80a31ed2163f4805e5c57903b422dc69208051f82"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewApiToken"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createApiToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"apiToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<CreateTokenMutation, CreateTokenMutationVariables>;
export const ChangeTokenDocument = {"__meta__":{"hash":"sha256:37b322930251e5fadaec026c0031cd4081ae5b86ecbd314f117fa106effdc477"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ApiTokenPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateApiToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ChangeTokenMutation, ChangeTokenMutationVariables>;
export const RevokeTokenDocument = {"__meta__":{"hash":"sha256:832ce2a4be10b340976ba1f1d344929aa63841f6b10181c760375272a7bce308"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"keepWebhooks"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"keepWebhooks"},"value":{"kind":"Variable","name":{"kind":"Name","value":"keepWebhooks"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const HooksDocument = {"__meta__":{"hash":"sha256:2a7506b423a96b90493a3b1deab0e6dba4739c562448be861fca6b7b1b9760b1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Hooks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ofFeed"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ofAccounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ofFeed"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Hook"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ofAccounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Hook"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Hook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"batch"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"payingAccountId"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccountUuid"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"events"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<HooksQuery, HooksQueryVariables>;
export const OneHookDocument = {"__meta__":{"hash":"sha256:03ee820c3f6c81e666077ca95422580f418c6570affa1f5631efecba06f41ceb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Hook"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Hook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"batch"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"payingAccountId"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccountUuid"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"events"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<OneHookQuery, OneHookQueryVariables>;
export const HookChoicesDocument = {"__meta__":{"hash":"sha256:1b2a6eb5e089ff66931f8307beb90c12323399fe69c6a06430157e2d04e17e8c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"HookChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projects"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projects"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<HookChoicesQuery, HookChoicesQueryVariables>;
export const CreateHookDocument = {"__meta__":{"hash":"sha256:8ade731b38b9d7e0bc917f42ba660357911bfad8d7409ef1ce72b7caafcd8492"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewEventWebhook"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<CreateHookMutation, CreateHookMutationVariables>;
export const AddHookDocument = {"__meta__":{"hash":"sha256:1aec6e2b1810d0cd9837ae8ab2b9481114519c4665942be5d1746424cc90b699"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewWebhook"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<AddHookMutation, AddHookMutationVariables>;
export const ChangeHookDocument = {"__meta__":{"hash":"sha256:f9a48c57444cc7593d426c0fd8c9c338ee5197a1bd861f95e5d97b7802212773"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Hook"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Hook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"batch"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjectUuid"}},{"kind":"Field","name":{"kind":"Name","value":"payingAccountId"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccountUuid"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"events"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ChangeHookMutation, ChangeHookMutationVariables>;
export const DeleteHookDocument = {"__meta__":{"hash":"sha256:5e4f38c6d6f6f477eadd4d965a0bbcc3232c79aa7ad7f0e43999f3e41f21e7a7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteHookMutation, DeleteHookMutationVariables>;
export const TestHookDocument = {"__meta__":{"hash":"sha256:f326682af910bd3076b2a19eaed5a20a1e5e820f0a8b8c0b1f114f2f8cde44ce"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"answer"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}},{"kind":"Field","name":{"kind":"Name","value":"body"}}]}}]}}]} as unknown as DocumentNode<TestHookMutation, TestHookMutationVariables>;
export const RotateHookSigningDocument = {"__meta__":{"hash":"sha256:650e8d9bb498ad5a570da7f8516935b9065b2eea0897a166a3053d9147214819"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateHookSigning"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateWebhookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<RotateHookSigningMutation, RotateHookSigningMutationVariables>;
export const ReplayHookDocument = {"__meta__":{"hash":"sha256:ab6253dec537858fd4cad64d20bf8100cecd01bdcbadc44d86440738b7205519"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReplayHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookReplay"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<ReplayHookMutation, ReplayHookMutationVariables>;
export const ReplayDeadDocument = {"__meta__":{"hash":"sha256:699fb2d303a5fca5df05d084b75f223707123ee52ca445bd55f9a4c6e627db2b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReplayDead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"letters"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayDeadLetters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"webhookId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"letters"}}}]}]}}]} as unknown as DocumentNode<ReplayDeadMutation, ReplayDeadMutationVariables>;
export const PreviewHookDocument = {"__meta__":{"hash":"sha256:5125e1c434de7b29f85baf5cdd921ce7da1669c49b7570f7751f69b01ae1288d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewHook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookPreview"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}}]}}]}}]} as unknown as DocumentNode<PreviewHookQuery, PreviewHookQueryVariables>;
export const HookDeliveriesDocument = {"__meta__":{"hash":"sha256:e056ee76da16c13c3f838b093b317a722101b57dec0b6de55039959d65bb417d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"HookDeliveries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"webhookId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}},{"kind":"Field","name":{"kind":"Name","value":"replayed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"deadAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<HookDeliveriesQuery, HookDeliveriesQueryVariables>;
export const OneDeliveryDocument = {"__meta__":{"hash":"sha256:1be18f36f4913101bd6073a89988ebd97c54d02e0ecc8e7e7ea00eab7b178acd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneDelivery"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDelivery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"answer"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}},{"kind":"Field","name":{"kind":"Name","value":"failedAttempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"replayed"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"deadAt"}},{"kind":"Field","name":{"kind":"Name","value":"body"}}]}}]}}]} as unknown as DocumentNode<OneDeliveryQuery, OneDeliveryQueryVariables>;
export const TryHookNowDocument = {"__meta__":{"hash":"sha256:dfe18717625d02e01c74815ac08ddf1e7ac488202ae5124c943d83fa466ddf2f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TryHookNow"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tryWebhookNow"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}}]}}]}}]} as unknown as DocumentNode<TryHookNowMutation, TryHookNowMutationVariables>;
export const DomainPageDocument = {"__meta__":{"hash":"sha256:f752bb81b4b0c4d2226cc8bb801f30cf1f125436241f15aab3c7d1f4c84cca9d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DomainPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DomainWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domains"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<DomainPageQuery, DomainPageQueryVariables>;
export const OneDomainDocument = {"__meta__":{"hash":"sha256:dfcb9a6e4fee3c98a18c01889b8e9d94eac943ead55ce7292d11db1b6d98ceee"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneDomain"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"records"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"purpose"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"selector"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"verifiedAt"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lostAt"}},{"kind":"Field","name":{"kind":"Name","value":"problem"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<OneDomainQuery, OneDomainQueryVariables>;
export const DomainFindingsDocument = {"__meta__":{"hash":"sha256:273d6f5224d8c520250fcad91cbf1faf81708137cfbf36b91d06e27068753eae"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DomainFindings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domainFindings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FindingFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DomainFinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"recordName"}},{"kind":"Field","name":{"kind":"Name","value":"recordValue"}}]}}]} as unknown as DocumentNode<DomainFindingsQuery, DomainFindingsQueryVariables>;
export const DomainCheckDocument = {"__meta__":{"hash":"sha256:aea7430b509e3f76a215a165ddfdd90c426ba31ef35198142a14e182355ad7ce"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DomainCheck"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"domain"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"selector"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domainCheck"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"domain"},"value":{"kind":"Variable","name":{"kind":"Name","value":"domain"}}},{"kind":"Argument","name":{"kind":"Name","value":"selector"},"value":{"kind":"Variable","name":{"kind":"Name","value":"selector"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FindingFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DomainFinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"recordName"}},{"kind":"Field","name":{"kind":"Name","value":"recordValue"}}]}}]} as unknown as DocumentNode<DomainCheckQuery, DomainCheckQueryVariables>;
export const CreateDomainDocument = {"__meta__":{"hash":"sha256:321881b404b3335de2db6bd4695e93541a2ba3cb207a86b061573c6ae1c77747"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateDomain"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewDomain"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createDomain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateDomainMutation, CreateDomainMutationVariables>;
export const VerifyDomainDocument = {"__meta__":{"hash":"sha256:1243fbc48dfddf87569db76da01b3938a384625851b0f08835a3d6f02a713069"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"VerifyDomain"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"verifyDomain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<VerifyDomainMutation, VerifyDomainMutationVariables>;
export const RotateDomainKeyDocument = {"__meta__":{"hash":"sha256:3cc44f46afa3ac1cca026ca86b4b4b855cd7797acab3ad796ea2f7d25d214242"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateDomainKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateDomainKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RotateDomainKeyMutation, RotateDomainKeyMutationVariables>;
export const DeleteDomainDocument = {"__meta__":{"hash":"sha256:16fbbde9e2986fec54782dccc0d9d0c13e8978a801e6569520158fdd4ee0fb69"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteDomain"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteDomain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteDomainMutation, DeleteDomainMutationVariables>;
export const EventSinkPageDocument = {"__meta__":{"hash":"sha256:d338582b4c933483575e9a208abf0387d81bacf45cf86d74f16583ac07aed092"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventSinkPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"owner"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventSinks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Sink"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Sink"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EventSink"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"stream"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"makeStream"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"duplicateWindowSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"publishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lag"}},{"kind":"Field","name":{"kind":"Name","value":"ratePerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"published"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"replaying"}}]}}]}}]} as unknown as DocumentNode<EventSinkPageQuery, EventSinkPageQueryVariables>;
export const EventSinkTypesDocument = {"__meta__":{"hash":"sha256:f51910b2a6f1657add82b19e5a1ecf85b7ff4a6777d0efea5204f5424fdef715"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventSinkTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}}]} as unknown as DocumentNode<EventSinkTypesQuery, EventSinkTypesQueryVariables>;
export const CreateEventSinkDocument = {"__meta__":{"hash":"sha256:90456bab0ba9f9ffe42a326a04f866a9eeff2adda660ee901c06f236a7cdc275"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateEventSink"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewEventSink"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createEventSink"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateEventSinkMutation, CreateEventSinkMutationVariables>;
export const ChangeEventSinkDocument = {"__meta__":{"hash":"sha256:caf341f7edc8a2bd7384145d9d74cebf23d74555bf4080ee5d8014b1589ee17e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeEventSink"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EventSinkPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateEventSink"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ChangeEventSinkMutation, ChangeEventSinkMutationVariables>;
export const DeleteEventSinkDocument = {"__meta__":{"hash":"sha256:512568a10ed702bd78163ead6e8c80db8508258b8660fdc8dc9cc8fdb6af07be"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteEventSink"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteEventSink"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteEventSinkMutation, DeleteEventSinkMutationVariables>;
export const TestEventSinkDocument = {"__meta__":{"hash":"sha256:cef16b51c0aa1914d4000cf46b4f441109cc021f653ceafd985b4d7de3fe356b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestEventSink"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testEventSink"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acknowledged"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}}]}}]}}]} as unknown as DocumentNode<TestEventSinkMutation, TestEventSinkMutationVariables>;
export const ReplayEventSinkDocument = {"__meta__":{"hash":"sha256:10604fbabb7eb15ddc26da0c1c58941a6cf96ca97a7fb01013ed9242a5e5a79e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReplayEventSink"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EventSinkReplay"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayEventSink"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<ReplayEventSinkMutation, ReplayEventSinkMutationVariables>;
export const FilePageDocument = {"__meta__":{"hash":"sha256:6ab47ab5626b5698310111f1557f7a7d89f57e6d0fabf2886b55c1b5645d3a75"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FilePage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"FileWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"FileOrder"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"imports"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"exports"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"imports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"imports"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"exports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"exports"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<FilePageQuery, FilePageQueryVariables>;
export const DeleteFileDocument = {"__meta__":{"hash":"sha256:b78c7a4579a9578df8f3def0ed827b4071ffb1363eb576be6d5afe249412c94b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteFileMutation, DeleteFileMutationVariables>;
export const InboxAnswersDocument = {"__meta__":{"hash":"sha256:1cf9f2843988da4a29b8ffd8ee5222a5b2d08fee0ed201cf19897db0d2e316e4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxAnswers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswerWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cannedAnswers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxAnswer"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAnswer"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"shortcut"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]} as unknown as DocumentNode<InboxAnswersQuery, InboxAnswersQueryVariables>;
export const InboxNewAnswerDocument = {"__meta__":{"hash":"sha256:a4fe2eef22322ad413750fdabf5ae96502f46b91eb88bfad456328981dee9336"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxNewAnswer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewCannedAnswer"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createCannedAnswer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxAnswer"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAnswer"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"shortcut"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]} as unknown as DocumentNode<InboxNewAnswerMutation, InboxNewAnswerMutationVariables>;
export const InboxChangeAnswerDocument = {"__meta__":{"hash":"sha256:fd36a9690043938e55ead087a25cb9eb740aa3ea71c03748af437071abcd70a7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxChangeAnswer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswerPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCannedAnswer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxAnswer"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAnswer"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CannedAnswer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"shortcut"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]} as unknown as DocumentNode<InboxChangeAnswerMutation, InboxChangeAnswerMutationVariables>;
export const InboxDeleteAnswerDocument = {"__meta__":{"hash":"sha256:055756bd5d4601bc28b31f23ae760c514cd91e56b4699276d9f6817705c82e3d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxDeleteAnswer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteCannedAnswer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<InboxDeleteAnswerMutation, InboxDeleteAnswerMutationVariables>;
export const InboxNotesDocument = {"__meta__":{"hash":"sha256:90878a02ef1240f042ed09bbdf99c8d73fcb88a901a4e88315416ce651e7fee5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxNotes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"chat"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"authors"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"chat"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"notes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxNote"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxNote"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatNote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"authorId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"authors"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InboxNotesQuery, InboxNotesQueryVariables>;
export const InboxNewNoteDocument = {"__meta__":{"hash":"sha256:f1e8cc83a8456f94457abf582dfa60d9c9b0124fde7c9c31a16373c0096a6358"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxNewNote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"chat"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"authors"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatNote"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"chatId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"chat"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxNote"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxNote"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatNote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"authorId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"authors"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InboxNewNoteMutation, InboxNewNoteMutationVariables>;
export const InboxDeleteNoteDocument = {"__meta__":{"hash":"sha256:e14996a3928b10d234335d1ac680ea2750e490b2ed4bd17af19c9c7c1d3d0236"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxDeleteNote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteChatNote"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<InboxDeleteNoteMutation, InboxDeleteNoteMutationVariables>;
export const InboxCloseDocument = {"__meta__":{"hash":"sha256:5dc14e34305485ae7c6cc23412e8b4ad31710995cc0f6dde0741a6696a1fa8fb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxClose"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"closeMessengerChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxCloseMutation, InboxCloseMutationVariables>;
export const InboxReopenDocument = {"__meta__":{"hash":"sha256:11e288b9fc6b36b5632fd976586e19f94f895ee3f0843c27427b017ad68634be"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxReopen"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reopenMessengerChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxReopenMutation, InboxReopenMutationVariables>;
export const InboxAccountsDocument = {"__meta__":{"hash":"sha256:ca76eed5dd466f8e13e8d80da90764de85b71fdce881f900136d7449007a91e6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxAccount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"next"}}]}}]} as unknown as DocumentNode<InboxAccountsQuery, InboxAccountsQueryVariables>;
export const InboxPageOfChatsDocument = {"__meta__":{"hash":"sha256:2ab9fe29b2d1a2c9133aefd6ca6477cd6e71fc18345c1c3e0d62989ee9305843"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxPageOfChats"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChatWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerChats"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}}]} as unknown as DocumentNode<InboxPageOfChatsQuery, InboxPageOfChatsQueryVariables>;
export const InboxConversationDocument = {"__meta__":{"hash":"sha256:8056ac4a4408c8f4742d02181377b77e2d2667385e37aee52374cce50753d382"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}}]} as unknown as DocumentNode<InboxConversationQuery, InboxConversationQueryVariables>;
export const InboxOlderDocument = {"__meta__":{"hash":"sha256:f098668d0220b165b380b2b8d52f2ed145f6a43068b6a5d9484256e742b1dbee"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxOlder"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"thread"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"thread"},"value":{"kind":"Variable","name":{"kind":"Name","value":"thread"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}}]} as unknown as DocumentNode<InboxOlderQuery, InboxOlderQueryVariables>;
export const InboxChatWithDocument = {"__meta__":{"hash":"sha256:b7a2930b9a1b4f70c9a33fa3c23487033ca3db9c3af4d29e81cd00bee4416e1f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxChatWith"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"chat"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]}}]} as unknown as DocumentNode<InboxChatWithQuery, InboxChatWithQueryVariables>;
export const InboxQuotedDocument = {"__meta__":{"hash":"sha256:a22493308a2d303abe0459c76ef4326987f839ecf37b66a57acf3949bb615bfa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxQuoted"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"item"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"item"},"value":{"kind":"Variable","name":{"kind":"Name","value":"item"}}},{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}}]} as unknown as DocumentNode<InboxQuotedQuery, InboxQuotedQueryVariables>;
export const InboxSendDocument = {"__meta__":{"hash":"sha256:77e1cd3f1c2d06b62c530de18d4b286cc2554c5435ae8604f5226b91a544e0f8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxSend"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewMessengerMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessengerMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}},{"kind":"Field","name":{"kind":"Name","value":"chat"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxSendMutation, InboxSendMutationVariables>;
export const InboxReadDocument = {"__meta__":{"hash":"sha256:2d93378d2162409981daa216afdaabdc225b430721c9034ac866a4a94c31aae7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxRead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readMessengerChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}}]}}]}}]} as unknown as DocumentNode<InboxReadMutation, InboxReadMutationVariables>;
export const InboxTypingDocument = {"__meta__":{"hash":"sha256:9d6b7e68e40deb4c1d20497a03f7b95d81e60e8cd4ea4693fb93d1ea972845ee"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxTyping"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerPresence"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessengerTyping"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<InboxTypingMutation, InboxTypingMutationVariables>;
export const InboxNotTypingDocument = {"__meta__":{"hash":"sha256:dfe70fddb55d8206530aa58569c756cfa7aad4e973be2ff3244fef8c49607ae3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxNotTyping"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resetMessengerTyping"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}]}]}}]} as unknown as DocumentNode<InboxNotTypingMutation, InboxNotTypingMutationVariables>;
export const InboxForgetFileDocument = {"__meta__":{"hash":"sha256:51bb3c7c27ed4065d93f19b2c1a5e85a1d7a7f8ead384e1b4b9afeb1219f3264"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxForgetFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<InboxForgetFileMutation, InboxForgetFileMutationVariables>;
export const InboxChangedDocument = {"__meta__":{"hash":"sha256:8e754bf6d3e3595951bcd27172ef60d234280d5f8195b4cf653cbbba96c6a3e6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"InboxChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerMessageChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxMessage"}},{"kind":"Field","name":{"kind":"Name","value":"chat"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"editedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"replyTo"}},{"kind":"Field","name":{"kind":"Name","value":"content"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"src"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"mime"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"emoji"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxChangedSubscription, InboxChangedSubscriptionVariables>;
export const InboxAccountChangedDocument = {"__meta__":{"hash":"sha256:583ea9d463522bce93e7ad5fbc1fc8d572ab66f8cd42389fcbcbdf037bb563e5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"InboxAccountChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccountChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]}}]} as unknown as DocumentNode<InboxAccountChangedSubscription, InboxAccountChangedSubscriptionVariables>;
export const InboxHitsDocument = {"__meta__":{"hash":"sha256:74c7fcbbe6ee3ff55ae533bcd27ed19dfeb7015b77aaa7248317fc5addf51dc8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxHits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerMessageSearch"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"text"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}},{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"outgoing"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"chat"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<InboxHitsQuery, InboxHitsQueryVariables>;
export const InboxLabelsDocument = {"__meta__":{"hash":"sha256:32d9ac59aedb9684003aa5ffdae7f92cf5427cd925929ce61cf4167f985cdf79"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxLabels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatLabels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]} as unknown as DocumentNode<InboxLabelsQuery, InboxLabelsQueryVariables>;
export const InboxNewLabelDocument = {"__meta__":{"hash":"sha256:61b8b3500267d90d8a49fc8470ee1a34ceffbe757526512fcbac74d7a12324e5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxNewLabel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewChatLabel"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatLabel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]} as unknown as DocumentNode<InboxNewLabelMutation, InboxNewLabelMutationVariables>;
export const InboxChangeLabelDocument = {"__meta__":{"hash":"sha256:04b3aec28199fc52be2bd1e653ab437f2910d10ae787e08afcc17b6c41f1d028"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxChangeLabel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabelPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateChatLabel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]} as unknown as DocumentNode<InboxChangeLabelMutation, InboxChangeLabelMutationVariables>;
export const InboxDeleteLabelDocument = {"__meta__":{"hash":"sha256:d22e0fa2ce12ca8c127aa14bbb283f6082cadc553cc8181aed9c86707cbf3804"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxDeleteLabel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteChatLabel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<InboxDeleteLabelMutation, InboxDeleteLabelMutationVariables>;
export const InboxSetLabelsDocument = {"__meta__":{"hash":"sha256:5d559c129367af81b5ca5f6471ca76281b28748a1b0fc100b0a3271fc87933e6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InboxSetLabels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"labels"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setMessengerChatLabels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"labels"},"value":{"kind":"Variable","name":{"kind":"Name","value":"labels"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxSetLabelsMutation, InboxSetLabelsMutationVariables>;
export const InboxPersonDocument = {"__meta__":{"hash":"sha256:acfe45ef81b7ba41fe13c3593989c747f010d971132665b94c2d2674d64f518a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InboxPerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"address"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"part"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messages"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"records"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"to"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"address"}}}]}}]}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messages"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"to"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"address"}}}]}}]}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"records"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerChats"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"contains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"part"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxChat"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxLabel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatLabel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InboxChat"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerChat"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"thread"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"unread"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"closedAt"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InboxLabel"}}]}}]}}]} as unknown as DocumentNode<InboxPersonQuery, InboxPersonQueryVariables>;
export const MembersDocument = {"__meta__":{"hash":"sha256:de97f3e8e95dbaa5f7268a023693752adb9df47429d984a023282face5e596f4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemberRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemberRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Member"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"hasOwnPermissions"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"joinedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<MembersQuery, MembersQueryVariables>;
export const InviteMemberDocument = {"__meta__":{"hash":"sha256:c7d1609be9e6432b50ad4982d7cb5d00a59111259d8bee2a1566fed2bb5721bc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InviteMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewMember"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inviteMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemberRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemberRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Member"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"hasOwnPermissions"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"joinedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<InviteMemberMutation, InviteMemberMutationVariables>;
export const ChangeMemberDocument = {"__meta__":{"hash":"sha256:8d324c152325fa8abeda6f6957e8962235d6803443071413907d28aea33b5e4f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MemberPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changeMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemberRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemberRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Member"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"hasOwnPermissions"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"joinedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<ChangeMemberMutation, ChangeMemberMutationVariables>;
export const RemoveMemberDocument = {"__meta__":{"hash":"sha256:99b2f381e645346c797de1a2b5919261de890fb6894a5cc34615932582061ad1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MemberRemoval"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ended"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"credentialUuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const AcceptMembershipDocument = {"__meta__":{"hash":"sha256:5af78d82146f6b3f5670ec6716571476c1832def1444cc742b69a95f8a8b2b08"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptMembership"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AcceptMembership"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptMembership"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerEmail"}},{"kind":"Field","name":{"kind":"Name","value":"ownerName"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}}]}}]}}]} as unknown as DocumentNode<AcceptMembershipMutation, AcceptMembershipMutationVariables>;
export const DirectPageDocument = {"__meta__":{"hash":"sha256:410d449a89bf6bc7a15f0af7235742a06341603efaea7c722e1037cc503903c1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectPageQuery, DirectPageQueryVariables>;
export const RecordPageDocument = {"__meta__":{"hash":"sha256:357a20057450db38ae88af9cfd4b747ac9693522fb05399c43f4ffc5db018af9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SortDirection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direction"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<RecordPageQuery, RecordPageQueryVariables>;
export const DirectTotalDocument = {"__meta__":{"hash":"sha256:33c9da855d04ee47245fcf927d799268f6906bf7e13891d7169d9f0c59454d25"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DirectTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<DirectTotalQuery, DirectTotalQueryVariables>;
export const RecordTotalDocument = {"__meta__":{"hash":"sha256:251d3b1c6f56bfbf503bed92b030a8e6e01b72fa9cc61879f4d58b1d7d54c8a2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecordTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<RecordTotalQuery, RecordTotalQueryVariables>;
export const DirectChangedDocument = {"__meta__":{"hash":"sha256:3255eb2bee4ec2ef195c5d8a398ed4b67faedf1b818e01ed1baf6d4d68a57bfa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<DirectChangedSubscription, DirectChangedSubscriptionVariables>;
export const RecordsMovedDocument = {"__meta__":{"hash":"sha256:43e07c2e6d2a08e4a23f2a1aa240744c8e1f3ffe3833c60e1e05c882141a816d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RecordsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<RecordsMovedSubscription, RecordsMovedSubscriptionVariables>;
export const ChoicesDocument = {"__meta__":{"hash":"sha256:2f0af04a9b17486e21a8ad59b846811c5c563e72e236a8ae88778601c3974b74"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Choices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projects"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tariff"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projects"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tariff"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}}]}}]}}]} as unknown as DocumentNode<ChoicesQuery, ChoicesQueryVariables>;
export const SendMessageDocument = {"__meta__":{"hash":"sha256:c9d16258dc9ebfc354e9082b014de6b900352e53a94fbef2107476cdd7e646f0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const SegmentsDocument = {"__meta__":{"hash":"sha256:3642c24ebdafce26c5bfeb3ff28fa5402c244ee5411134b7d5cafed8f353a9f9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Segments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"variables"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSON"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"channel"},"value":{"kind":"EnumValue","value":"sms"}},{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"StringValue","value":"{{ body }}","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"variables"},"value":{"kind":"Variable","name":{"kind":"Name","value":"variables"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"characters"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<SegmentsQuery, SegmentsQueryVariables>;
export const OneMessageDocument = {"__meta__":{"hash":"sha256:e055efcc2e022e2adf846706484828849c4a7ca3fcc84a33468bcd532924533b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direct"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"record"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"deliveries"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"senders"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direct"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DirectRow"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"trial"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"failedAttempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttemptFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"deliveries"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"mailReports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReportFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"ledgerEntries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"record"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecordRow"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"variant"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"providerMessageId"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"readAt"}},{"kind":"Field","name":{"kind":"Name","value":"repliedAt"}},{"kind":"Field","name":{"kind":"Name","value":"failedAttempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttemptFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"deliveries"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"mailReports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direct"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReportFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccount"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"senders"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DirectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttemptFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FailedAttempt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReportFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailReport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"bounceClass"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"diagnostic"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecordRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"queuedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}}]} as unknown as DocumentNode<OneMessageQuery, OneMessageQueryVariables>;
export const OneChangedDocument = {"__meta__":{"hash":"sha256:ffa7ec7ecf779fe3f1a679a6953bbaac8be8969aed43376231cfaadc6d104492"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OneChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<OneChangedSubscription, OneChangedSubscriptionVariables>;
export const BlockRecipientsDocument = {"__meta__":{"hash":"sha256:b42de3aa9c83babc0ca7a6c42cb5285943fbf68b896a6fca2d87f97271ba90d5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BlockRecipients"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockMany"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockPhones"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"}},{"kind":"Field","name":{"kind":"Name","value":"changed"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"place"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<BlockRecipientsMutation, BlockRecipientsMutationVariables>;
export const ReportMailDocument = {"__meta__":{"hash":"sha256:72e112e0ddb73c5b849e41907488e3ae261c67ea5ee9dbbf0593bd593ea3386e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReportMail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailReportMail"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mail"}}]}}]}}]} as unknown as DocumentNode<ReportMailQuery, ReportMailQueryVariables>;
export const MessengerAccountPageDocument = {"__meta__":{"hash":"sha256:5f5771ccfb047bc0cfd39ebaa4902bf6346f7826fe5c662199afebf624787490"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MessengerAccountPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccountWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"name"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"asc"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<MessengerAccountPageQuery, MessengerAccountPageQueryVariables>;
export const MessengerAccountCountsDocument = {"__meta__":{"hash":"sha256:1930d7faf68c1f60a89540069c321c44b40b099366d044fc58d5ffa601407bc5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MessengerAccountCounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"all"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"working"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"working"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"login"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"waitQr"},{"kind":"EnumValue","value":"waitPhone"},{"kind":"EnumValue","value":"waitCode"},{"kind":"EnumValue","value":"waitPassword"},{"kind":"EnumValue","value":"showCode"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"down"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"failed"},{"kind":"EnumValue","value":"loggedOut"},{"kind":"EnumValue","value":"blocked"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"moving"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"starting"},{"kind":"EnumValue","value":"syncing"},{"kind":"EnumValue","value":"reconnecting"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"stopped"},"name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"stopped"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<MessengerAccountCountsQuery, MessengerAccountCountsQueryVariables>;
export const MessengerAccountsMovedDocument = {"__meta__":{"hash":"sha256:7df081fcca4a1cfca1c410c495260961efeff494f54ca1dcddfeea37b7e6b2d3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"MessengerAccountsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccountChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<MessengerAccountsMovedSubscription, MessengerAccountsMovedSubscriptionVariables>;
export const OneMessengerAccountDocument = {"__meta__":{"hash":"sha256:798deaa775989f547023b6d7c4b5dc9addc660490f26a89590a23f3ae93c6b13"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneMessengerAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}},{"kind":"Field","name":{"kind":"Name","value":"wanted"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"proxy"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerId"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<OneMessengerAccountQuery, OneMessengerAccountQueryVariables>;
export const MessengerAccountMovedDocument = {"__meta__":{"hash":"sha256:f65f7490dedb536f9434a2cf9a8450c2090ffb1a556e7d02779a6f2018936114"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"MessengerAccountMoved"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccountChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}},{"kind":"Field","name":{"kind":"Name","value":"wanted"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"proxy"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerId"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"qrCode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"png"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pairingCode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"at"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<MessengerAccountMovedSubscription, MessengerAccountMovedSubscriptionVariables>;
export const MessengerHistoryDocument = {"__meta__":{"hash":"sha256:805a43d9fd0a06d5e7498eb2a30d13c39d8f6d81f5718e26792efdee9002b70a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MessengerHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"stateChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<MessengerHistoryQuery, MessengerHistoryQueryVariables>;
export const EnabledDriversDocument = {"__meta__":{"hash":"sha256:447cf8cdf46af04123ab65092008b29d0246ee824a5cc417d4d5164da711bc4d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EnabledDrivers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerDrivers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"about"}}]}}]}}]} as unknown as DocumentNode<EnabledDriversQuery, EnabledDriversQueryVariables>;
export const AddMessengerDocument = {"__meta__":{"hash":"sha256:1e2a6ba756f90044f3c0cb547bf1b2664315e6d53d2e8e2575da43d712fdcbbe"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewMessengerAccount"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addMessengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<AddMessengerMutation, AddMessengerMutationVariables>;
export const StartMessengerDocument = {"__meta__":{"hash":"sha256:717b7dc48dc6659554a04ebf7aa0bd72f1695f6a58a01c6f6ee77f95986ac3a0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startMessengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<StartMessengerMutation, StartMessengerMutationVariables>;
export const StopMessengerDocument = {"__meta__":{"hash":"sha256:906beea11c59791c729545ef92020d743326407c2e549e6a67449a8b31f2e2bb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopMessengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<StopMessengerMutation, StopMessengerMutationVariables>;
export const ClearMessengerDocument = {"__meta__":{"hash":"sha256:acbcd464f2776f51bd08b141c867c5be72c294310ce4fc60db75dee7bf697000"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ClearMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clearMessengerSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<ClearMessengerMutation, ClearMessengerMutationVariables>;
export const DeleteMessengerDocument = {"__meta__":{"hash":"sha256:c27af37f4837527ecfb696332a2d0b0dc75f01e251727ef3448e9665f8201edc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteMessengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteMessengerMutation, DeleteMessengerMutationVariables>;
export const SetMessengerPhoneDocument = {"__meta__":{"hash":"sha256:dc191bc57ef821990b6289c18ada305b0820fabdebfa9b9822b9083da82653ef"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetMessengerPhone"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"phone"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setMessengerPhone"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"phone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"phone"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<SetMessengerPhoneMutation, SetMessengerPhoneMutationVariables>;
export const SolveChallengeDocument = {"__meta__":{"hash":"sha256:588098d820e5961902d2377e1be4abb72183a379b5b740fd3aa0f05eb28df19f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SolveChallenge"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"solveMessengerChallenge"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"code"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<SolveChallengeMutation, SolveChallengeMutationVariables>;
export const GivePasswordDocument = {"__meta__":{"hash":"sha256:d62a903f173e80817ae2bd0b1e28e50c18bddef734a6312ddedf1d7e85a94f01"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GivePassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"password"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"giveMessengerPassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"password"},"value":{"kind":"Variable","name":{"kind":"Name","value":"password"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<GivePasswordMutation, GivePasswordMutationVariables>;
export const UpdateMessengerDocument = {"__meta__":{"hash":"sha256:8c83d75cc2b6372a16da57a354f4ecd1553e52728496392f3ef41f8b83a8f673"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMessenger"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccountPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMessengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}},{"kind":"Field","name":{"kind":"Name","value":"proxy"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<UpdateMessengerMutation, UpdateMessengerMutationVariables>;
export const RenewProxyDocument = {"__meta__":{"hash":"sha256:f0f767459500b10ff1864d927635f0613d1048ecc27919b3f4a1cade7a1ec2ce"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RenewProxy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"renewMessengerProxy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessengerRow"}},{"kind":"Field","name":{"kind":"Name","value":"proxy"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessengerRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"until"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"stateAt"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"connectedPhone"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<RenewProxyMutation, RenewProxyMutationVariables>;
export const SendMessengerTestDocument = {"__meta__":{"hash":"sha256:ee9b31409678fffa067074063aa3a9b2192a96769302dec0e874a831d28dbece"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessengerTest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewMessengerMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessengerMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<SendMessengerTestMutation, SendMessengerTestMutationVariables>;
export const MessengerBehaviourDocument = {"__meta__":{"hash":"sha256:7cbd67cbe4019a25a607e61a00565833d13d78b9ea936dfa2749ce5d9d1d3e4d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MessengerBehaviour"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerConfig"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"default","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<MessengerBehaviourQuery, MessengerBehaviourQueryVariables>;
export const SetMessengerBehaviourDocument = {"__meta__":{"hash":"sha256:a884cdb3656e97920be76d26407f3803be3d31222e951c17a97d04aeed75f96a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetMessengerBehaviour"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewMessengerConfig"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setMessengerConfig"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<SetMessengerBehaviourMutation, SetMessengerBehaviourMutationVariables>;
export const SenderOfAccountDocument = {"__meta__":{"hash":"sha256:e4d06caa9b999af14c0843b7dd3b3c2e1550bc27adda50aec08ec34091cb3561"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SenderOfAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SenderOfAccountQuery, SenderOfAccountQueryVariables>;
export const MessengerWebhooksDocument = {"__meta__":{"hash":"sha256:b7d21e999a6563669699a44aabf815b3218086af26f2f8452ed689fede9bca31"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MessengerWebhooks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"nextAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"}},{"kind":"Field","name":{"kind":"Name","value":"events"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}}]}}]}}]}}]} as unknown as DocumentNode<MessengerWebhooksQuery, MessengerWebhooksQueryVariables>;
export const AddMessengerWebhookDocument = {"__meta__":{"hash":"sha256:23dc5d884dcef7ea8dafb00afdd779447935fde5353fdfbb24cfaf97b000b192"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddMessengerWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewWebhook"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<AddMessengerWebhookMutation, AddMessengerWebhookMutationVariables>;
export const TestMessengerWebhookDocument = {"__meta__":{"hash":"sha256:a691b22c8ceb79915e9b494dc429d5d2427dc0cacb09b3a5020c48cfe6840210"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestMessengerWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"seconds"}}]}}]}}]} as unknown as DocumentNode<TestMessengerWebhookMutation, TestMessengerWebhookMutationVariables>;
export const SwitchMessengerWebhookDocument = {"__meta__":{"hash":"sha256:266400fa928a4cb4e6f0ddf13a1d32e0c51ff075fc411b608374e604d4e183bc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SwitchMessengerWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"enabled"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"enabled"},"value":{"kind":"Variable","name":{"kind":"Name","value":"enabled"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}}]}}]} as unknown as DocumentNode<SwitchMessengerWebhookMutation, SwitchMessengerWebhookMutationVariables>;
export const RotateMessengerSecretDocument = {"__meta__":{"hash":"sha256:b6c77ea637ec5b3114a1b72de4a65bc18d701965bbda415adf9eade356236c0f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateMessengerSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateWebhookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}}]} as unknown as DocumentNode<RotateMessengerSecretMutation, RotateMessengerSecretMutationVariables>;
export const DeleteMessengerWebhookDocument = {"__meta__":{"hash":"sha256:4adb8b0d41ec482cbc3314408067e22b5bac4b4c518d0222b1e81601c2b36590"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteMessengerWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteMessengerWebhookMutation, DeleteMessengerWebhookMutationVariables>;
export const TrafficDocument = {"__meta__":{"hash":"sha256:8b2a378425105f490409f88e000e2fa39fde260f643b9c11958daa23592346ba"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Traffic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"interval"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Interval"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"channel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ProjectChannel"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statisticsGeneral"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"all"}},{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"timezone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}}},{"kind":"Argument","name":{"kind":"Name","value":"channel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"channel"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"direct"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"direct"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"project"},"name":{"kind":"Name","value":"deliveryStatusCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"project"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statuses"}}]}}]}}]} as unknown as DocumentNode<TrafficQuery, TrafficQueryVariables>;
export const AttentionDocument = {"__meta__":{"hash":"sha256:67878dca2155ba0b728eba1cdb789a6e158bc1f89f897c7edc88eae1edd154fe"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Attention"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"own"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projects"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"events"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tariff"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"own"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttentionAccount"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttentionAccount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"paused"}]}}]}}]}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projects"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"failed"},{"kind":"EnumValue","value":"loggedOut"},{"kind":"EnumValue","value":"blocked"}]}}]}}]}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"failures"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"missed"}},{"kind":"Field","name":{"kind":"Name","value":"dead"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventFeed"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"events"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recording"}},{"kind":"Field","name":{"kind":"Name","value":"nearlyFull"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tariff"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"readiness"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttentionAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plan"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}}]}}]} as unknown as DocumentNode<AttentionQuery, AttentionQueryVariables>;
export const DoctorFindingsDocument = {"__meta__":{"hash":"sha256:2ad384c42da3b8ee8059e9916d93d5df76c141344363e5f070ad51ac9f45e2a4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DoctorFindings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"doctor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"findings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}}]}}]}}]}}]} as unknown as DocumentNode<DoctorFindingsQuery, DoctorFindingsQueryVariables>;
export const OutcomesDocument = {"__meta__":{"hash":"sha256:aea5f09ffca4e312d571cd9cefc19b007ffbd5923b743cf8ab5d2ae8e023098d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Outcomes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statisticsOutcomes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"countedSince"}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}}]}}]}}]}}]} as unknown as DocumentNode<OutcomesQuery, OutcomesQueryVariables>;
export const FailedMessagesDocument = {"__meta__":{"hash":"sha256:532586856904ad521702f8abbbf6f1e5833b6ecff112e15b1b29435c42fcc552"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FailedMessages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direct"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"project"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direct"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"project"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<FailedMessagesQuery, FailedMessagesQueryVariables>;
export const CauseTotalsDocument = {"__meta__":{"hash":"sha256:d9b5ba984d1356a632c2d20387c055cc221495fbf3aa3304b4d23179053e7e8b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CauseTotals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"direct"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"project"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRecordWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"direct"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageRecords"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"project"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<CauseTotalsQuery, CauseTotalsQueryVariables>;
export const ActiveDocument = {"__meta__":{"hash":"sha256:f7d3f6af6d7ebbb0a2220eba94f88dbcb76669448aca531aee377791174067b1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Active"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"6"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"in"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"running"},{"kind":"EnumValue","value":"paused"},{"kind":"EnumValue","value":"scheduled"}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ActiveQuery, ActiveQueryVariables>;
export const NewcomerDocument = {"__meta__":{"hash":"sha256:3d9e1937d59753d565bb8f6983902910fbb3351662e82a01825776d794085e6f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Newcomer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"me"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"me"}}}]}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"outbound"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"delivered"},"name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"me"}}}]}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"outbound"}}]}},{"kind":"ObjectField","name":{"kind":"Name","value":"deliveryState"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"delivered"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"me"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"me"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"apiTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"revoked"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]} as unknown as DocumentNode<NewcomerQuery, NewcomerQueryVariables>;
export const DirectSignalDocument = {"__meta__":{"hash":"sha256:ab3a9c0a8a0b80078e7121fd378ddbad92c9eb476941e953d5d3bfb2598a3c27"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DirectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<DirectSignalSubscription, DirectSignalSubscriptionVariables>;
export const ProjectSignalDocument = {"__meta__":{"hash":"sha256:2edaa3d1561efa5540358b63c3a7906fcc52935ede0a0b430ae9b00a1057840d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectSignal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProjectSignalSubscription, ProjectSignalSubscriptionVariables>;
export const LeaveOwnerDocument = {"__meta__":{"hash":"sha256:184be7eff80b67ec056fbd8ec5a183c7d2ab791e05fe06d2629c285f00056ee2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LeaveOwner"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"leaveOwner"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<LeaveOwnerMutation, LeaveOwnerMutationVariables>;
export const ChangePasswordDocument = {"__meta__":{"hash":"sha256:ad30dc6b881af7acd84227290b56c4bc6d84e5342719d0cac6fc217a620023f3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangePassword"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresIn"}}]}}]}}]} as unknown as DocumentNode<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const SaveProfileDocument = {"__meta__":{"hash":"sha256:eef4fd787fe819ec9b0057bfa135a889d12f206e95d42a076015bd04bbbd1f0d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveProfile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}}]}}]}}]} as unknown as DocumentNode<SaveProfileMutation, SaveProfileMutationVariables>;
export const SecondFactorsDocument = {"__meta__":{"hash":"sha256:84dace6a67acb62c9fbf3595d6a8fa559eca312e57e3fa214bf841ef28bdae99"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SecondFactors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secondFactors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"factors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"confirmedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recoveryCodes"}},{"kind":"Field","name":{"kind":"Name","value":"demanded"}}]}}]}}]} as unknown as DocumentNode<SecondFactorsQuery, SecondFactorsQueryVariables>;
export const BeginTotpDocument = {"__meta__":{"hash":"sha256:bbf8bb935daf508fb817e2d68338bbc5bfd7bd71b114502f6eabcb7a73e5cf59"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BeginTotp"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"NewTotp"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"beginTotp"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"factorUuid"},"name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"qrPng"}}]}}]}}]} as unknown as DocumentNode<BeginTotpMutation, BeginTotpMutationVariables>;
export const ConfirmTotpDocument = {"__meta__":{"hash":"sha256:e8eb13081f282b7115bee5345223456496fd952ad65b6d7ff63f08c90719daf3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConfirmTotp"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SecondFactorCode"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"confirmTotp"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recoveryCodes"}}]}}]}}]} as unknown as DocumentNode<ConfirmTotpMutation, ConfirmTotpMutationVariables>;
export const RemoveSecondFactorDocument = {"__meta__":{"hash":"sha256:e12a2ae0c47d0a93bed0ec865b234094754dc7c04da76127d0abd55434837262"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveSecondFactor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeSecondFactor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<RemoveSecondFactorMutation, RemoveSecondFactorMutationVariables>;
export const NewRecoveryCodesDocument = {"__meta__":{"hash":"sha256:29e1864a669528289c9a8240dfc324e413c0ed6d13c2fd828e568f4d275188ef"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"NewRecoveryCodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"newRecoveryCodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recoveryCodes"}}]}}]}}]} as unknown as DocumentNode<NewRecoveryCodesMutation, NewRecoveryCodesMutationVariables>;
export const ProjectRowsDocument = {"__meta__":{"hash":"sha256:b24a7ffbd1d96383dd14b7376cc0e3d2f9ad1a95de4ad934ef08247fcb30e5b5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectRowsQuery, ProjectRowsQueryVariables>;
export const ProjectTotalDocument = {"__meta__":{"hash":"sha256:f64c517734d48aa218a76e3397ce03f1ee2934970f528d3b0f62c6625afae4df"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectTotal"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<ProjectTotalQuery, ProjectTotalQueryVariables>;
export const ProjectsMovedDocument = {"__meta__":{"hash":"sha256:add13aae4c39dae966e6993dd723864840cfd771e8172c33a912d81fe7263c16"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectsMoved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectsMovedSubscription, ProjectsMovedSubscriptionVariables>;
export const OneProjectDocument = {"__meta__":{"hash":"sha256:a30a33f9f0523f50a44b27b15b131aaa904299d50eeac234514abf509ca4fd40"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"files"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"recipients"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"senders"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}},{"kind":"Field","name":{"kind":"Name","value":"messagesDeletedAt"}},{"kind":"Field","name":{"kind":"Name","value":"retrySuppressed"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"files"}}}]}]},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"senders"}}}]}]},{"kind":"Field","name":{"kind":"Name","value":"processing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failureReasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variantStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"variant"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"rates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cost"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"charged"}},{"kind":"Field","name":{"kind":"Name","value":"refunded"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"recipients"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"repeatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<OneProjectQuery, OneProjectQueryVariables>;
export const ProjectMovedDocument = {"__meta__":{"hash":"sha256:864f08a6a194a21045f0902e3f1edefbe96174fefd2aea9bcbfa7573b1334a9e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ProjectMoved"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectMovedSubscription, ProjectMovedSubscriptionVariables>;
export const StartProjectDocument = {"__meta__":{"hash":"sha256:a91f920ea20691759e443a9751cae89036dc4b43754aa165bbd181c2251fc457"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<StartProjectMutation, StartProjectMutationVariables>;
export const StopProjectDocument = {"__meta__":{"hash":"sha256:8d8895bc519ce787310586d03f030031ff9874e35db03cc84ac5dcf5d69a117d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<StopProjectMutation, StopProjectMutationVariables>;
export const RetryProjectDocument = {"__meta__":{"hash":"sha256:878cc14f08044b62de123c0be086c43f69e1b4c90be3cdc60cac5ef2cc116fb6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RetryProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RetryProject"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrySendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<RetryProjectMutation, RetryProjectMutationVariables>;
export const DeleteProjectDocument = {"__meta__":{"hash":"sha256:6580932ab55459f827cd6ab90aeea401ea212b8c735bc5e2e67d8378ab903466"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteProjectMutation, DeleteProjectMutationVariables>;
export const DuplicateProjectDocument = {"__meta__":{"hash":"sha256:b6371f2a673bdf28ae7cab83beb10609de55ef74ed5f747dacfa5b67fc4cf811"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DuplicateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DuplicateProject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"duplicateSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<DuplicateProjectMutation, DuplicateProjectMutationVariables>;
export const StopProjectsDocument = {"__meta__":{"hash":"sha256:658acb4b7f1c2ce82cff9dd7982bb97a84f387090a7630e48458a864617106cd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopProjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopSendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"uuids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopped"}},{"kind":"Field","name":{"kind":"Name","value":"failed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<StopProjectsMutation, StopProjectsMutationVariables>;
export const RetryProjectsDocument = {"__meta__":{"hash":"sha256:512c15f71014b3434182594767b599cca8540910c30a5895ee96772ed2d5cb9c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RetryProjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrySendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"uuids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retried"}},{"kind":"Field","name":{"kind":"Name","value":"failed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<RetryProjectsMutation, RetryProjectsMutationVariables>;
export const DeleteProjectsDocument = {"__meta__":{"hash":"sha256:563be79a888c70aa0014934b048a81de0e8c9d7896e15f9102f59f7d0064813c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteProjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"uuids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"failed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteProjectsMutation, DeleteProjectsMutationVariables>;
export const DraftProjectDocument = {"__meta__":{"hash":"sha256:a0ac5465a2008e841aceb53ed1743a698a5de033f9520a0f28e5c6bd20832d42"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DraftProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"}}]}}]} as unknown as DocumentNode<DraftProjectQuery, DraftProjectQueryVariables>;
export const ProjectChoicesDocument = {"__meta__":{"hash":"sha256:9e1be8137b1f483c142ea30707e92a586bc7d3b94f448a2feff653db4a439493"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"driver"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecipientsPerProject"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectChoicesQuery, ProjectChoicesQueryVariables>;
export const CreateProjectDocument = {"__meta__":{"hash":"sha256:bc8e592332638ef11f9b57941c37f79189c19f7c53f5f182e38f01630792a4ba"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSendingProject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"}}]}}]} as unknown as DocumentNode<CreateProjectMutation, CreateProjectMutationVariables>;
export const UpdateProjectDocument = {"__meta__":{"hash":"sha256:03aa3680eba2f8fc6616e48e1c7b56c2b5c73c19d0948a29e663b87cb904933c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateProject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"}}]}}]} as unknown as DocumentNode<UpdateProjectMutation, UpdateProjectMutationVariables>;
export const PreviewListDocument = {"__meta__":{"hash":"sha256:c064b8ca4306efe1b8bb90ba325beb7ab530437c13c846d40a4960bde140345c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"format"}},{"kind":"Field","name":{"kind":"Name","value":"delimiter"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"header"}},{"kind":"Field","name":{"kind":"Name","value":"headerRow"}},{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"samples"}}]}},{"kind":"Field","name":{"kind":"Name","value":"mapping"}}]}}]}}]} as unknown as DocumentNode<PreviewListQuery, PreviewListQueryVariables>;
export const ImportListDocument = {"__meta__":{"hash":"sha256:c03467a6bffbc8bf19eb914ac1a56d11f6d8ceb1790ccb9a527506b670acc45b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ImportListMutation, ImportListMutationVariables>;
export const ImportTextDocument = {"__meta__":{"hash":"sha256:871f8376995ebf95062a06d25db22defa3547065b5c16f9d23e664de97e1b9a7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportText"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewTextImport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importRecipientsFromText"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<ImportTextMutation, ImportTextMutationVariables>;
export const EarlierImportsDocument = {"__meta__":{"hash":"sha256:be794ec34d0545dbf07a40682c1736f6ba3e647b61a6ba2ac77aa327a7876db8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EarlierImports"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImports"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"ready"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<EarlierImportsQuery, EarlierImportsQueryVariables>;
export const AddListDocument = {"__meta__":{"hash":"sha256:f9c528038472895bd4ba2f2aaa6f65e0204f3da074932efbc0b7ec2ca96b5f55"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"project"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"list"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sendingProjectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"project"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"importUuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"list"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"added"}},{"kind":"Field","name":{"kind":"Name","value":"duplicates"}},{"kind":"Field","name":{"kind":"Name","value":"invalidCount"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"place"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pending"}}]}}]}}]} as unknown as DocumentNode<AddListMutation, AddListMutationVariables>;
export const PreviewTextDocument = {"__meta__":{"hash":"sha256:d79d1c45deaac4b0569685583b1c2db771d6a2ce93425fa43d08ad75452b8b08"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PreviewText"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PreviewMessage"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}},{"kind":"Field","name":{"kind":"Name","value":"missing"}},{"kind":"Field","name":{"kind":"Name","value":"characters"}},{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<PreviewTextQuery, PreviewTextQueryVariables>;
export const SendTrialDocument = {"__meta__":{"hash":"sha256:794955d23b370cf4f42bcac814c186a80ecf98b921ce5f53589f4bd4c77c0e40"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendTrial"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendTest"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendTestMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<SendTrialMutation, SendTrialMutationVariables>;
export const TimezonesDocument = {"__meta__":{"hash":"sha256:9cdf090b5c51e614c36cfdb3a06d6207e59dfdf2feb6702a570ac5b3e19665d6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Timezones"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezones"}}]}}]} as unknown as DocumentNode<TimezonesQuery, TimezonesQueryVariables>;
export const ProjectPlanDocument = {"__meta__":{"hash":"sha256:1866599bcb761c44549dcc7159a8729edc1618510a05f9aa0d7ab46add3ab74e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectPlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"changes"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PlannedChanges"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProjectPlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"changes"},"value":{"kind":"Variable","name":{"kind":"Name","value":"changes"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipients"}},{"kind":"Field","name":{"kind":"Name","value":"toSend"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"examined"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"missing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cost"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"atMost"}},{"kind":"Field","name":{"kind":"Name","value":"byCountry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"parts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"limitedBy"}},{"kind":"Field","name":{"kind":"Name","value":"leftToday"}},{"kind":"Field","name":{"kind":"Name","value":"beginsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<ProjectPlanQuery, ProjectPlanQueryVariables>;
export const FindRecipientsDocument = {"__meta__":{"hash":"sha256:8b55e0024c0690c0c0da4793c7891e53bfb11f9da3d4ab4ed48583c20a5939fb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindRecipients"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sendingProjectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"text"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"contains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<FindRecipientsQuery, FindRecipientsQueryVariables>;
export const RemoveRecipientsDocument = {"__meta__":{"hash":"sha256:8330e4605b8cd2dbab2beb3c49ccccd391234727e9254bd207bdef726fbd9f76"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveRecipients"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RemoveRecipients"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeRecipients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sendingProjectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removed"}},{"kind":"Field","name":{"kind":"Name","value":"withMessage"}},{"kind":"Field","name":{"kind":"Name","value":"more"}}]}}]}}]} as unknown as DocumentNode<RemoveRecipientsMutation, RemoveRecipientsMutationVariables>;
export const WriteTextsDocument = {"__meta__":{"hash":"sha256:594a897519dfa70dba3677567b30610739504fc4c290c5dfb78e44b68641054c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WriteTexts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateText"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateText"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"texts"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}}]} as unknown as DocumentNode<WriteTextsMutation, WriteTextsMutationVariables>;
export const EarlierTrialsDocument = {"__meta__":{"hash":"sha256:8e84aeb898805d827c88ae622c4b7dc63b6c435d5c1c4e3244275a21e9255a76"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EarlierTrials"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"channel"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProjectChannel"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trialMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"channel"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"channel"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"deliveryState"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<EarlierTrialsQuery, EarlierTrialsQueryVariables>;
export const EarlierProjectsDocument = {"__meta__":{"hash":"sha256:efc31bf06f8452181ef4d0d1d7d0b8e961169e47306ac5273302080b663ea94d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EarlierProjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"newest"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"chosen"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProjectWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"any"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"newest"},"name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"30"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"newest"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"chosen"},"name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"chosen"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"any"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<EarlierProjectsQuery, EarlierProjectsQueryVariables>;
export const ProjectMailReportsDocument = {"__meta__":{"hash":"sha256:1b42f5cb795530876e70481c29fe3510f9d177a55402a5689fc84dc4aa10a720"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectMailReports"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"mailReportCounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providerClass"}},{"kind":"Field","name":{"kind":"Name","value":"bounced"}},{"kind":"Field","name":{"kind":"Name","value":"hard"}},{"kind":"Field","name":{"kind":"Name","value":"mailboxFull"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"policy"}},{"kind":"Field","name":{"kind":"Name","value":"soft"}},{"kind":"Field","name":{"kind":"Name","value":"deferred"}},{"kind":"Field","name":{"kind":"Name","value":"complaints"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectMailReportsQuery, ProjectMailReportsQueryVariables>;
export const ProjectTrafficDocument = {"__meta__":{"hash":"sha256:6173a99156c7f4d15e042ba5b022007f7dbeeaecec89bb6567dcff0f81438a18"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectTraffic"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"interval"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Interval"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"until"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"interval"},"value":{"kind":"Variable","name":{"kind":"Name","value":"interval"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateFrom"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"dateTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"until"}}},{"kind":"Argument","name":{"kind":"Name","value":"timezone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timezone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectTrafficQuery, ProjectTrafficQueryVariables>;
export const RepeatableRowsDocument = {"__meta__":{"hash":"sha256:d26fc4adef0612ee3c8e104d86e59ec6dcc1e4e8ff284eb8d17e318f17357fef"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RepeatableRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableRowsQuery, RepeatableRowsQueryVariables>;
export const OneRepeatableDocument = {"__meta__":{"hash":"sha256:b737e1d29b39f768ea6e7970f776973bb0d13896317c7aa6f2a9d553c13abc3b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"recipients"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}},{"kind":"Field","name":{"kind":"Name","value":"nextRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"count"},"value":{"kind":"IntValue","value":"8"}}]},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"recipients"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceProject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accounts"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sendingProjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectRow"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"resumeAt"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsPending"}},{"kind":"Field","name":{"kind":"Name","value":"recipientsError"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"counts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"read"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"replied"}}]}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"preparing"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}}]}}]}}]} as unknown as DocumentNode<OneRepeatableQuery, OneRepeatableQueryVariables>;
export const StartRepeatableDocument = {"__meta__":{"hash":"sha256:87220b0768d2ec5a2ea989031257f229054549bdcf5ba16a8af431c62fbb28a2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<StartRepeatableMutation, StartRepeatableMutationVariables>;
export const StopRepeatableDocument = {"__meta__":{"hash":"sha256:aa9b99554b8742dc694a8e98c6906e694a8d10e9a93c22c36205d573beddef5e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<StopRepeatableMutation, StopRepeatableMutationVariables>;
export const DeleteRepeatableDocument = {"__meta__":{"hash":"sha256:d9d40a6f43bfa848392f929a13a49f6ccad0d4ecfb95d06db1142ea0b7884393"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteRepeatableMutation, DeleteRepeatableMutationVariables>;
export const ProjectToRepeatDocument = {"__meta__":{"hash":"sha256:602aefbe2850f67f9183f8970b3a84644b86a932a0ac6d0613bdcb9224413418"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectToRepeat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSettings"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectOwnSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"startWithinSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"variableLabels"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"audience"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"segmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptTopicUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptSegmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"exceptProjectUuids"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectFiles"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSenders"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProjectSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectOwnSettings"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectFiles"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProjectSenders"}}]}}]} as unknown as DocumentNode<ProjectToRepeatQuery, ProjectToRepeatQueryVariables>;
export const CreateRepeatableDocument = {"__meta__":{"hash":"sha256:4a31958162de5cddf6171db21b40a87ec9eeceb0fa3503f84df9e9a7fd6b52d0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewRepeatableProject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateRepeatableMutation, CreateRepeatableMutationVariables>;
export const RepeatableToEditDocument = {"__meta__":{"hash":"sha256:9043a47d2f7d2d2fca9f85d157667d390725c80630e054f4e3350b9180958f6f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RepeatableToEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"repeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"accountUuids"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"html"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"attachmentUuids"}},{"kind":"Field","name":{"kind":"Name","value":"onMissingVariable"}},{"kind":"Field","name":{"kind":"Name","value":"stopOnReply"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"variants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}},{"kind":"Field","name":{"kind":"Name","value":"window"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"recipientTimezone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"speed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"perAccountPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"jitterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"backoffSeconds"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<RepeatableToEditQuery, RepeatableToEditQueryVariables>;
export const UpdateRepeatableDocument = {"__meta__":{"hash":"sha256:5ffd49097454a6756ff50951e4de627834c31201cb0379ef5bd8dbc4836fff30"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateRepeatable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatablePatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateRepeatableSendingProject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RepeatableRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RepeatableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RepeatableSendingProject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rrule"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"maxRuns"}},{"kind":"Field","name":{"kind":"Name","value":"misfire"}}]}}]}}]} as unknown as DocumentNode<UpdateRepeatableMutation, UpdateRepeatableMutationVariables>;
export const ConfiguredRoutesDocument = {"__meta__":{"hash":"sha256:5619cac00a248fb5b3dfd033252f7e3eefe3384a788a1eff5f2c86c8049a3f59"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConfiguredRoutes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemRoutes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"ignoresReceipts"}},{"kind":"Field","name":{"kind":"Name","value":"made"}}]}}]}}]} as unknown as DocumentNode<ConfiguredRoutesQuery, ConfiguredRoutesQueryVariables>;
export const RouteReceiptsDocument = {"__meta__":{"hash":"sha256:b5b4c39cbf406502cce46bc572e946a2d54f45dd84fdba5207fb6cd7511a6c2e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RouteReceipts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"routeQuality"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"sent"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"sentBefore"}},{"kind":"Field","name":{"kind":"Name","value":"deliveredBefore"}},{"kind":"Field","name":{"kind":"Name","value":"degradedSince"}},{"kind":"Field","name":{"kind":"Name","value":"retryAt"}}]}}]}}]} as unknown as DocumentNode<RouteReceiptsQuery, RouteReceiptsQueryVariables>;
export const CreateRouteDocument = {"__meta__":{"hash":"sha256:3d63c1c5bf2b102ac6965a2c1e1889b0cc7b10a52a3a2de979514eb123d29a06"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateRoute"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSystemRoute"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSystemRoute"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<CreateRouteMutation, CreateRouteMutationVariables>;
export const DeleteRouteDocument = {"__meta__":{"hash":"sha256:491c0bb886cf2053bf6909fbb34bd974ae0642765e791f50fd72b61268350569"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteRoute"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSystemRoute"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}}]}]}}]} as unknown as DocumentNode<DeleteRouteMutation, DeleteRouteMutationVariables>;
export const SwitchRouteDocument = {"__meta__":{"hash":"sha256:118cc7144e0953f7dc35dca6f94e1c107481d9b737c99ddea18c8f365af84357"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SwitchRoute"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"enabled"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setSystemRoute"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"enabled"},"value":{"kind":"Variable","name":{"kind":"Name","value":"enabled"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}}]}}]} as unknown as DocumentNode<SwitchRouteMutation, SwitchRouteMutationVariables>;
export const IgnoreReceiptsDocument = {"__meta__":{"hash":"sha256:63d84930fde038f06e033e7b64dd339dd8fb9a1790d42d24e78fee79cf3be34b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IgnoreReceipts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ignoresReceipts"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setSystemRoute"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ignoresReceipts"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ignoresReceipts"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"ignoresReceipts"}}]}}]}}]} as unknown as DocumentNode<IgnoreReceiptsMutation, IgnoreReceiptsMutationVariables>;
export const RouteRulePageDocument = {"__meta__":{"hash":"sha256:1a9935ed87deb343d852248cd0bf31c68d7e27a4a8acce597bcdde8b11c0aba5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RouteRulePage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RouteRuleWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"routeRules"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"route"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"priority"}},{"kind":"Field","name":{"kind":"Name","value":"weight"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<RouteRulePageQuery, RouteRulePageQueryVariables>;
export const CreateRouteRuleDocument = {"__meta__":{"hash":"sha256:ae46a372266a1a226d8f9530a63f20e6ff7e729f13e8444a5c09e56313974b44"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateRouteRule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RouteRuleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createRouteRule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreateRouteRuleMutation, CreateRouteRuleMutationVariables>;
export const UpdateRouteRuleDocument = {"__meta__":{"hash":"sha256:b433c02e0f56c4a8d43ec532fea4fd90aa54c4d8db6bf2d25891b8be9342e912"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateRouteRule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RouteRuleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateRouteRule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdateRouteRuleMutation, UpdateRouteRuleMutationVariables>;
export const DeleteRouteRuleDocument = {"__meta__":{"hash":"sha256:dc57de76ef0a3c3ba408cfcf87430805aeefb418e309b64200b5154627df9dc8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteRouteRule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteRouteRule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteRouteRuleMutation, DeleteRouteRuleMutationVariables>;
export const RouteUsersDocument = {"__meta__":{"hash":"sha256:23ea7160527c28c6a4a4182a7a1914d06a392f107db2e7175603c15fb13443a8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RouteUsers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserWhere"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<RouteUsersQuery, RouteUsersQueryVariables>;
export const RouteForDocument = {"__meta__":{"hash":"sha256:9a97fe31426f2f92f559dbe2dd387c88b33fb439efca68bdd7125032d0e3bf58"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RouteFor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TraceRoute"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"routeFor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"}},{"kind":"Field","name":{"kind":"Name","value":"use"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"why"}}]}},{"kind":"Field","name":{"kind":"Name","value":"waits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"senderWhy"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"pricePrefix"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<RouteForQuery, RouteForQueryVariables>;
export const SenderIdPageDocument = {"__meta__":{"hash":"sha256:7e36d4eae3d71792a8a089a2a81e8a53f8fba173a7b8e85ed8a2f0d42f3bdc2f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SenderIdPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SenderWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"senders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"countries"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<SenderIdPageQuery, SenderIdPageQueryVariables>;
export const SameSendersDocument = {"__meta__":{"hash":"sha256:e93e5b899fa5503c0cc2f49693429ce091a84341eea678b44c04686db4c64b0c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SameSenders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"value"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"senders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"value"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"value"}}}]}},{"kind":"ObjectField","name":{"kind":"Name","value":"channel"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"sms"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SameSendersQuery, SameSendersQueryVariables>;
export const RequestSenderDocument = {"__meta__":{"hash":"sha256:c64f2910c66375683e6d9d9d6ed910298cde1775c2430e9f6f9c715566cc855b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RequestSender"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSender"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestSender"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]} as unknown as DocumentNode<RequestSenderMutation, RequestSenderMutationVariables>;
export const UpdateSenderDocument = {"__meta__":{"hash":"sha256:5956ac6bd57ded12d93c5b49228c8ab66db94013e56cdd0236a4968968a5c003"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSender"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SenderPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSender"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]} as unknown as DocumentNode<UpdateSenderMutation, UpdateSenderMutationVariables>;
export const DecideSenderDocument = {"__meta__":{"hash":"sha256:875c7037ecfceb26eb27c5b3413698de9ce8d9338f3c73578fdc3b2f9443d573"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DecideSender"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SenderDecision"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"decideSender"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]} as unknown as DocumentNode<DecideSenderMutation, DecideSenderMutationVariables>;
export const DeleteSenderIdDocument = {"__meta__":{"hash":"sha256:ddecab6a1d7d252b9afb3e0e03dc511e72cce4a7c9356e1d445a21f12d469b6c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSenderId"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSender"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteSenderIdMutation, DeleteSenderIdMutationVariables>;
export const SenderPageDocument = {"__meta__":{"hash":"sha256:4b126a036991300282b2424fbe2443736b7a2aef6de1b30c9f18a56bb2a1f9b1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SenderPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SourceAccountWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"admin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"tokenHint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"messengerAccount"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messengers"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"admin"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<SenderPageQuery, SenderPageQueryVariables>;
export const PossibleSendersDocument = {"__meta__":{"hash":"sha256:c12630f8756cb0f15e126bd33c2d4fab8303f557b213973fd679bbb6a761550c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PossibleSenders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessengerAccountWhere"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messengerAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"name"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"asc"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<PossibleSendersQuery, PossibleSendersQueryVariables>;
export const CreateSenderDocument = {"__meta__":{"hash":"sha256:431cc66e6022005f44e58c533c04d07a8c076fcf6d194bb0dc3291577a863803"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSender"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewSourceAccount"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSourceAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<CreateSenderMutation, CreateSenderMutationVariables>;
export const DeleteSenderDocument = {"__meta__":{"hash":"sha256:0c7748262fa3ad12217f290407974a06defeb287183d23329f0df2d8687db0f6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSender"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSourceAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteSenderMutation, DeleteSenderMutationVariables>;
export const AllSettingsDocument = {"__meta__":{"hash":"sha256:1c97a1a9ba7dc875eec46fc6b3b75b6da8d01df86ae21c8b3517fa86d808db64"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AllSettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"scope"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Scope"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"settings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"scope"},"value":{"kind":"Variable","name":{"kind":"Name","value":"scope"}}},{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}]},{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AllSettingsQuery, AllSettingsQueryVariables>;
export const OneSettingDocument = {"__meta__":{"hash":"sha256:e21a3d97ac7608bc463d808db065bc3a6502151a4994108cf04738f630cade48"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneSetting"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"scope"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Scope"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"settings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"scope"},"value":{"kind":"Variable","name":{"kind":"Name","value":"scope"}}},{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}]}]}}]} as unknown as DocumentNode<OneSettingQuery, OneSettingQueryVariables>;
export const SetSettingDocument = {"__meta__":{"hash":"sha256:4b7f6b041b8b5675e0d9ca82b141153a984e14f97d5cec0c5423c39f04d599cd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetSetting"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetSetting"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setSetting"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]} as unknown as DocumentNode<SetSettingMutation, SetSettingMutationVariables>;
export const DeleteSettingDocument = {"__meta__":{"hash":"sha256:33e0ec4ca7cc9942161490cb6d1c47d04ff63ba3166387e5ab358c60274de3df"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSetting"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteSetting"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSetting"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<DeleteSettingMutation, DeleteSettingMutationVariables>;
export const StoredValuesDocument = {"__meta__":{"hash":"sha256:b7a90960bbc8bbd6f9676223b7a8804229ba2851ac009c39f6634d161481e104"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"StoredValues"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"StorageValueWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storageValues"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"ttlSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<StoredValuesQuery, StoredValuesQueryVariables>;
export const StoredValueDocument = {"__meta__":{"hash":"sha256:7cfbb28267f4a9ea3208f6fd65f6ef97297e4d6123feba01bc78377139890f87"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"StoredValue"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storageValue"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"ttlSeconds"}}]}}]}}]} as unknown as DocumentNode<StoredValueQuery, StoredValueQueryVariables>;
export const PutStoredValueDocument = {"__meta__":{"hash":"sha256:0282be43b95750cebf34c4ed23c638c510ab4f0786aea2a761ab238e0b7d5644"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PutStoredValue"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PutStorageValue"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"putStorageValue"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}}]}}]}}]} as unknown as DocumentNode<PutStoredValueMutation, PutStoredValueMutationVariables>;
export const DeleteStoredValueDocument = {"__meta__":{"hash":"sha256:4555aff1038cf866dcb95bcaf45b64d7b225b2673cc500821910e8d9bd23fe39"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteStoredValue"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteStorageValue"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}]}]}}]} as unknown as DocumentNode<DeleteStoredValueMutation, DeleteStoredValueMutationVariables>;
export const DoctorReportDocument = {"__meta__":{"hash":"sha256:1ae67b105c27163f65216f03b29e81f3624cd80dd5645612d0a79fa70ce5c2fd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DoctorReport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"fresh"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"doctor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"fresh"},"value":{"kind":"Variable","name":{"kind":"Name","value":"fresh"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"python"}},{"kind":"Field","name":{"kind":"Name","value":"embedded"}},{"kind":"Field","name":{"kind":"Name","value":"examinedAt"}},{"kind":"Field","name":{"kind":"Name","value":"leftOut"}},{"kind":"Field","name":{"kind":"Name","value":"findings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}}]}}]}}]}}]} as unknown as DocumentNode<DoctorReportQuery, DoctorReportQueryVariables>;
export const SendingDocument = {"__meta__":{"hash":"sha256:c32e0d6e072b4667d5885b86a6bd71dab1988799d97bdcef808f94e1ca3a69d8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Sending"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemRoutes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"driver"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}},{"kind":"Field","name":{"kind":"Name","value":"concurrency"}},{"kind":"Field","name":{"kind":"Name","value":"totalConcurrency"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}},{"kind":"Field","name":{"kind":"Name","value":"queueStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"background"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"atWork"}},{"kind":"Field","name":{"kind":"Name","value":"users"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"projects"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"stuck"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}},{"kind":"Field","name":{"kind":"Name","value":"workers"}},{"kind":"Field","name":{"kind":"Name","value":"project"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SendingQuery, SendingQueryVariables>;
export const AllowlistInUseDocument = {"__meta__":{"hash":"sha256:5e5b9e91e6041e132c4fd5901678d6cfb7fc6f564095d2475ff58bcc74906529"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AllowlistInUse"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ipAllowlist"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"file"}},{"kind":"Field","name":{"kind":"Name","value":"entries"}},{"kind":"Field","name":{"kind":"Name","value":"networks"}},{"kind":"Field","name":{"kind":"Name","value":"everyone"}},{"kind":"Field","name":{"kind":"Name","value":"loadedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"yourAddress"}},{"kind":"Field","name":{"kind":"Name","value":"yourReason"}}]}}]}}]} as unknown as DocumentNode<AllowlistInUseQuery, AllowlistInUseQueryVariables>;
export const AllowlistLinesDocument = {"__meta__":{"hash":"sha256:6a798a7de754e6057eebc810fd224931cc0160ae6f214e8061048672819f77e7"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AllowlistLines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ipAllowlistLines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"blocked"}},{"kind":"Field","name":{"kind":"Name","value":"listed"}}]}}]}}]} as unknown as DocumentNode<AllowlistLinesQuery, AllowlistLinesQueryVariables>;
export const ParseMailReportDocument = {"__meta__":{"hash":"sha256:4504aba185b916fdd2c5d7f8ffe3a5b56aa116c00b85e390e3ccac755ca696f1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ParseMailReport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ParseMailReport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"parseMailReport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ignored"}},{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"ours"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageUuid"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"bounceClass"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"diagnostic"}}]}},{"kind":"Field","name":{"kind":"Name","value":"effect"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}},{"kind":"Field","name":{"kind":"Name","value":"block"}}]}}]}}]}}]} as unknown as DocumentNode<ParseMailReportQuery, ParseMailReportQueryVariables>;
export const OwnTariffDocument = {"__meta__":{"hash":"sha256:5ffd2a61d80777a26d3fc4808c7aa186ee5684f0fcef9a7a5cbf57f97c63ba03"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnTariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentProjects"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"used"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"concurrentProjects"}},{"kind":"Field","name":{"kind":"Name","value":"messagesToday"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]}}]}}]} as unknown as DocumentNode<OwnTariffQuery, OwnTariffQueryVariables>;
export const TariffPageDocument = {"__meta__":{"hash":"sha256:25d867b9be394a779c9b5ffa3dbd5ca752dfd33de9b824312ec3811327a00802"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TariffPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tariffs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TariffFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TariffFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tariff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentProjects"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecipientsPerProject"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}},{"kind":"Field","name":{"kind":"Name","value":"priceListId"}}]}}]} as unknown as DocumentNode<TariffPageQuery, TariffPageQueryVariables>;
export const OneTariffDocument = {"__meta__":{"hash":"sha256:cede2974094e983d57ef7be3e26ad939f004f3ad2979acea9f66aaa78e878698"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneTariff"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tariffs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"code"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TariffFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TariffFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tariff"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentProjects"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecipientsPerProject"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"channels"}},{"kind":"Field","name":{"kind":"Name","value":"prices"}},{"kind":"Field","name":{"kind":"Name","value":"priceListId"}}]}}]} as unknown as DocumentNode<OneTariffQuery, OneTariffQueryVariables>;
export const TariffUsersDocument = {"__meta__":{"hash":"sha256:0dfffc0eb0cc85deedc39ea9241aae7490f310f75df5da4c0c9a59828a87f314"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TariffUsers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"tariffCode"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<TariffUsersQuery, TariffUsersQueryVariables>;
export const SaveTariffDocument = {"__meta__":{"hash":"sha256:b8e2612f5cd744588c58b8988e6dc6c7d818ddea0ccc0565a83a9d0c91006467"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveTariff"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetTariff"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setTariff"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as unknown as DocumentNode<SaveTariffMutation, SaveTariffMutationVariables>;
export const PriceListPageDocument = {"__meta__":{"hash":"sha256:e9ac1db459e51d36f73b869bdc0cf682169170d37fbc444928cf8296563aac89"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PriceListPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceLists"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PriceListRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PriceListRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"strict"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]} as unknown as DocumentNode<PriceListPageQuery, PriceListPageQueryVariables>;
export const OnePriceListDocument = {"__meta__":{"hash":"sha256:5c664aa21208bec1cc3cb87ed87876c5736cb889d75a8bf965f724e8926c8e86"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OnePriceList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceList"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PriceListRow"}},{"kind":"Field","name":{"kind":"Name","value":"versions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PriceListRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"strict"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]} as unknown as DocumentNode<OnePriceListQuery, OnePriceListQueryVariables>;
export const PricesOfListDocument = {"__meta__":{"hash":"sha256:5d92cd31496726aefbe5063fa4c8e208a98c666a168fb97d96a80d543babd025"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PricesOfList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"begins"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"version"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"listId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"begins"},"value":{"kind":"Variable","name":{"kind":"Name","value":"begins"}}},{"kind":"Argument","name":{"kind":"Name","value":"version"},"value":{"kind":"Variable","name":{"kind":"Name","value":"version"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<PricesOfListQuery, PricesOfListQueryVariables>;
export const CreatePriceListDocument = {"__meta__":{"hash":"sha256:74cc1749e43268d6451309051d04c8c1ceb0a785a59be4f36ab0ae894263eae1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePriceList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewPriceList"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPriceList"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<CreatePriceListMutation, CreatePriceListMutationVariables>;
export const UpdatePriceListDocument = {"__meta__":{"hash":"sha256:c4251b1bcf5c63c7f5a5e6664eba618ac6051580b224680653a596af2cefa1be"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePriceList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PriceListPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePriceList"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<UpdatePriceListMutation, UpdatePriceListMutationVariables>;
export const DeletePriceListDocument = {"__meta__":{"hash":"sha256:9de1b9b8d2a3705a2d449c51208d77f614daaa48e6c7d16de90621539a4953ed"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeletePriceList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletePriceList"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeletePriceListMutation, DeletePriceListMutationVariables>;
export const AddPriceListVersionDocument = {"__meta__":{"hash":"sha256:bb02a11b0519282d29000bf5c196de7b4bac034813b5b9c27453be00522e6202"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddPriceListVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewPriceListVersion"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addPriceListVersion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]} as unknown as DocumentNode<AddPriceListVersionMutation, AddPriceListVersionMutationVariables>;
export const DeletePriceListVersionDocument = {"__meta__":{"hash":"sha256:2507d536a0d4e0dd9a312a4ed2ed1d987cafd84f0d6838c068f393dab45ea302"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeletePriceListVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"number"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletePriceListVersion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"number"},"value":{"kind":"Variable","name":{"kind":"Name","value":"number"}}}]}]}}]} as unknown as DocumentNode<DeletePriceListVersionMutation, DeletePriceListVersionMutationVariables>;
export const UserPageDocument = {"__meta__":{"hash":"sha256:f7b3216e081669b8978427d2b13d17b32514bfb7028a2d12ee5459027a06c960"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UserPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"count"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"count"}}}]}]}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<UserPageQuery, UserPageQueryVariables>;
export const OneUserDocument = {"__meta__":{"hash":"sha256:acdb63b4524816e024052aeb405c64146af5610cbad197c3c1626bfeda8848bc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserRow"}},{"kind":"Field","name":{"kind":"Name","value":"tariff"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lowBalance"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<OneUserQuery, OneUserQueryVariables>;
export const TariffChoicesDocument = {"__meta__":{"hash":"sha256:0fd28fcf5384d5e41b7e134a4531d275dc484abc3ec973bb84922664cfc575f9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TariffChoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tariffs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<TariffChoicesQuery, TariffChoicesQueryVariables>;
export const InviteDocument = {"__meta__":{"hash":"sha256:c86e91c519610533a213993503be3b452b1d7c23971712e31ed34d156ec664d5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Invite"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Invite"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inviteUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<InviteMutation, InviteMutationVariables>;
export const MakeUserDocument = {"__meta__":{"hash":"sha256:7c3347f5c741731c28ae71dfbe6512788212bd74f49f8e11958b92e8f174c508"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MakeUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewUser"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<MakeUserMutation, MakeUserMutationVariables>;
export const ChangeUserDocument = {"__meta__":{"hash":"sha256:74e2835930d71a2bb5d18502eeb849fdec23ee872afc9f26635ec60c4fb2f31f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserPatch"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ChangeUserMutation, ChangeUserMutationVariables>;
export const SuspendDocument = {"__meta__":{"hash":"sha256:7b582608a855158cd81e4ddebc0c1b3a8f80d385ba4444a297c60742681c4cd8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Suspend"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"suspendUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<SuspendMutation, SuspendMutationVariables>;
export const ActivateDocument = {"__meta__":{"hash":"sha256:5110e7dcb463bcbca599e32cb1d75cf3c3bace48ca196657e7bcc0b5b8e3e1dc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Activate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ActivateMutation, ActivateMutationVariables>;
export const DeleteUserDocument = {"__meta__":{"hash":"sha256:7eec65beac3a0b9a79e62d5f62ba19f8b3d13194bc6b74bf867a1b464f3e5c36"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteUserMutation, DeleteUserMutationVariables>;
export const GiveTariffDocument = {"__meta__":{"hash":"sha256:b787b33b6e8cdbdfa14252e417d909390cbe18970d048533c7c2955fe14f60dc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GiveTariff"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"user"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setTariff"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"code"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"userUuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"user"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<GiveTariffMutation, GiveTariffMutationVariables>;
export const AcceptInvitationDocument = {"__meta__":{"hash":"sha256:c3748a8ba5931a21dfc771fee271bccf2cd56d2318d0f84b2c744af45c327499"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptInvitation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AcceptInvitation"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptInvitation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}}]}}]}}]} as unknown as DocumentNode<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const CreateFirstUserDocument = {"__meta__":{"hash":"sha256:11bd4f41effb13ee1c3294ae2f261dc5c47b4e1e887cb8c2f23eed59d8b4bdda"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateFirstUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"FirstUser"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createFirstUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}}]}}]}}]} as unknown as DocumentNode<CreateFirstUserMutation, CreateFirstUserMutationVariables>;
export const RequestPasswordResetDocument = {"__meta__":{"hash":"sha256:4a257e9416bc873c9d14e8255034bedb2b90db5aa8ef80083e7384639fc196c6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RequestPasswordReset"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PasswordResetRequest"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestPasswordReset"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;
export const ResetPasswordDocument = {"__meta__":{"hash":"sha256:29c457bf4306da5bd0d2af3b0d833996ed66d35f4d5c9ced7c2c051f1764049d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResetPassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"NewPassword"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resetPassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const InvitedUserDocument = {"__meta__":{"hash":"sha256:1a46c37d8d3fcc4bf4b9ea337fdcaf5c34dd1b6a2d68e3ebecf23428b23f146b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InvitedUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]} as unknown as DocumentNode<InvitedUserQuery, InvitedUserQueryVariables>;
export const EndInvitedLoginDocument = {"__meta__":{"hash":"sha256:8a620c3a2b486a4baa6bf43d833c67ebafef186f991164c5ab3b677c4c12a848"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EndInvitedLogin"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"}}]}}]} as unknown as DocumentNode<EndInvitedLoginMutation, EndInvitedLoginMutationVariables>;
export const AuditPageDocument = {"__meta__":{"hash":"sha256:18d84563d4bab6c5756d878b0d68d483dcc627d24482983476039bd1e5011cb6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AuditPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntryWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"actors"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditEntries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"actorId"}},{"kind":"Field","name":{"kind":"Name","value":"actorEmail"}},{"kind":"Field","name":{"kind":"Name","value":"actorKind"}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"actors"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokenId"}},{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"objectType"}},{"kind":"Field","name":{"kind":"Name","value":"objectId"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"changes"}}]}}]} as unknown as DocumentNode<AuditPageQuery, AuditPageQueryVariables>;
export const ActorsDocument = {"__meta__":{"hash":"sha256:7db3b32320ddad383c11d5b7b37cd8387274cca0066aa33cc6ceebab88318acd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Actors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"joined"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":true}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"userUuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<ActorsQuery, ActorsQueryVariables>;
export const UploadListDocument = {"__meta__":{"hash":"sha256:165900374314d062b87b9149cff05a71effa1287c6cad20346fa16819ab821ea"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UploadList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"file"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Upload"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uploadFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"file"},"value":{"kind":"Variable","name":{"kind":"Name","value":"file"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}}]}}]} as unknown as DocumentNode<UploadListMutation, UploadListMutationVariables>;
export const ExportFilesDocument = {"__meta__":{"hash":"sha256:bc6cafc601b141c0b453c358699f56df78ea73369131107198964efac27a4c9e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ExportFiles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ExportLinkWhere"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportLinks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"format"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<ExportFilesQuery, ExportFilesQueryVariables>;
export const StartExportDocument = {"__meta__":{"hash":"sha256:1518795b3ca804ad1ff4de8074223762db71309e8cd9d3053dd7e6470cd0fc44"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartExport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartExport"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<StartExportMutation, StartExportMutationVariables>;
export const CancelExportDocument = {"__meta__":{"hash":"sha256:7b53757987ebdca512277b706be70669f540237e849a28714565812063d3f214"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelExport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelExport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<CancelExportMutation, CancelExportMutationVariables>;
export const ExportColumnsDocument = {"__meta__":{"hash":"sha256:dc503e9b4b0d5efb81f0a26a29823097f50facd23b1667305cf987932eaae862"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ExportColumns"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"source"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportVariables"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"source"},"value":{"kind":"Variable","name":{"kind":"Name","value":"source"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"example"}}]}}]}}]} as unknown as DocumentNode<ExportColumnsQuery, ExportColumnsQueryVariables>;
export const OneImportDocument = {"__meta__":{"hash":"sha256:f2e805d54596eee4af152e04df7add5e2d3e9d641afc63d9d73e7da986ce7c91"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OneImport"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"valid"}},{"kind":"Field","name":{"kind":"Name","value":"invalid"}},{"kind":"Field","name":{"kind":"Name","value":"duplicates"}},{"kind":"Field","name":{"kind":"Name","value":"contacts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"changed"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"subscribed"}},{"kind":"Field","name":{"kind":"Name","value":"suppressed"}}]}}]}}]}}]} as unknown as DocumentNode<OneImportQuery, OneImportQueryVariables>;
export const BadRowsDocument = {"__meta__":{"hash":"sha256:915af010edb287fbd25608af5e7c0770f9678f3c0751e75147275b9dfaf1f22e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BadRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipientImport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"valid"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<BadRowsQuery, BadRowsQueryVariables>;
export const CountriesDocument = {"__meta__":{"hash":"sha256:514e0afcfbbc27b67fa08861213976622bd9d193a9f20351ab421023ead1f06b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Countries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"language"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"language"},"value":{"kind":"Variable","name":{"kind":"Name","value":"language"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"dialCode"}}]}}]}}]} as unknown as DocumentNode<CountriesQuery, CountriesQueryVariables>;
export const SendingChannelsDocument = {"__meta__":{"hash":"sha256:de093796c3bf9d4ffa66a701c336b0644d4802d9d1e3bc7c5f29d06dc0bf5e30"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SendingChannels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendingChannels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channel"}},{"kind":"Field","name":{"kind":"Name","value":"sandbox"}},{"kind":"Field","name":{"kind":"Name","value":"setting"}}]}}]}}]} as unknown as DocumentNode<SendingChannelsQuery, SendingChannelsQueryVariables>;
export const PermissionsDocument = {"__meta__":{"hash":"sha256:a14150294ba69c56a616f716049f541eac2fd9aba0e9d442f8b0e4936789394e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Permissions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"permissions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"presets"}},{"kind":"Field","name":{"kind":"Name","value":"granted"}}]}}]}}]} as unknown as DocumentNode<PermissionsQuery, PermissionsQueryVariables>;
export const SegmentChoicesDocument = {"__meta__":{"hash":"sha256:ca67aaadaf03b69f0a0bbe142ab8d0e96c4373902837686923cc941a536713d3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SegmentChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SegmentWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"newest"},"name":{"kind":"Name","value":"segments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"oldest"},"name":{"kind":"Name","value":"segments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<SegmentChoicesQuery, SegmentChoicesQueryVariables>;
export const SenderDomainsDocument = {"__meta__":{"hash":"sha256:e944495fee5ebab107565742361ff53af387a81ee3e1a32118bc97794bbc1399"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SenderDomains"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DomainWhere"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"senders"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SenderWhere"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domains"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"senders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"senders"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<SenderDomainsQuery, SenderDomainsQueryVariables>;
export const ApprovedSendersDocument = {"__meta__":{"hash":"sha256:baef54b3d4cc91f1e67c3cdc4f3aa70273a2ebce0fccefa0fb87d117e73678e8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApprovedSenders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SenderWhere"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"senders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<ApprovedSendersQuery, ApprovedSendersQueryVariables>;
export const SenderChoiceDocument = {"__meta__":{"hash":"sha256:01b01116b86fb3cc6532f9a383817c74211459a42fce4188245f89d2c66a658f"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SenderChoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sender"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"senderChoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"sender"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sender"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sender"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"why"}}]}}]}}]} as unknown as DocumentNode<SenderChoiceQuery, SenderChoiceQueryVariables>;
export const VerifySecondFactorDocument = {"__meta__":{"hash":"sha256:cb32489d3dcc444fadc483589ae3f904996993b1ea5246293585b78f35908f8e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"VerifySecondFactor"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SecondFactorCode"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"verifySecondFactor"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"freshUntil"}}]}}]}}]} as unknown as DocumentNode<VerifySecondFactorMutation, VerifySecondFactorMutationVariables>;
export const LogoutEverywhereDocument = {"__meta__":{"hash":"sha256:52707447b420e68f4a0918465e15cadf17002137ecf83682995cbd21b0be795c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LogoutEverywhere"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logoutEverywhere"}}]}}]} as unknown as DocumentNode<LogoutEverywhereMutation, LogoutEverywhereMutationVariables>;
export const TopicsDocument = {"__meta__":{"hash":"sha256:634d9265c9859edf6078a015c13a98567bb3e9fe61c627fd249099a4a9a2ccf4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Topics"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TopicWhere"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topics"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"asc"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TopicRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TopicRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Topic"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"optIn"}},{"kind":"Field","name":{"kind":"Name","value":"public"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"translations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<TopicsQuery, TopicsQueryVariables>;
export const QueueDocument = {"__meta__":{"hash":"sha256:5f817b302b4e19e7db76898de416eb746002ea6a7e28963403932df48dd8352a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Queue"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueQuery, QueueQueryVariables>;
export const QueueChangedDocument = {"__meta__":{"hash":"sha256:78deb16c010409f338defee3867c53f07cd19669267399bbd6b5d9dcd22c35a6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"QueueChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueStatisticsChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"QueueFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"QueueFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QueueStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"sending"}},{"kind":"Field","name":{"kind":"Name","value":"oldestQueuedSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"perMinute"}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"routes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"probeAt"}}]}}]}}]} as unknown as DocumentNode<QueueChangedSubscription, QueueChangedSubscriptionVariables>;
export const ViewerDocument = {"__meta__":{"hash":"sha256:0e886225847f49f0d39b4fbef8d1a5ad5204dcc421be8ea2efef941eae2bd487"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memberships"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"ownerEmail"}},{"kind":"Field","name":{"kind":"Name","value":"ownerName"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;