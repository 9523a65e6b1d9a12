"""All tables, one line a file. Importing this package fills `Base.metadata`."""

from db.base import Base
from db.models.accounts import Account, AccountDebt, LedgerEntry, LedgerProgress
from db.models.agents import AgentClient, AgentGrant
from db.models.ai import AiUsage
from db.models.audit import AuditEntry, AuditKey
from db.models.blocks import BlockedPhone
from db.models.brands import Brand, BrandDomain
from db.models.breakers import RouteBreaker
from db.models.canned_answers import CannedAnswer
from db.models.chat_labels import ChatLabel, LabelOfChat
from db.models.chat_notes import ChatNote
from db.models.chats import Chat, ChatMessage, ChatMessagePart, EarlyChatEvent
from db.models.clicks import Click, ClickLink
from db.models.configuration import MessengerConfig
from db.models.consent import ConsentEntry, ConsentText, OptIn, SignupForm, Topic, TopicSubscription
from db.models.contacts import Contact, ContactAddress, ContactField, ContactMerge
from db.models.costs import RouteCost, Traffic, TrafficDue, TrafficProgress
from db.models.country_rules import CountryLimit, CountryRule
from db.models.deliverability import DegradedProvider, DomainCounter, MailDomain, MailDomainRequest
from db.models.domains import DkimKey, Domain
from db.models.event_feed import Event, EventFeed, EventFeedProgress, EventInbox, MessageEvents
from db.models.event_sinks import EventSink, EventSinkCursor
from db.models.exports import ExportLink
from db.models.files import DiscardedFile, File
from db.models.hooks import EarlyReport, HookEvent, HookSecret
from db.models.idempotency import IdempotencyKey
from db.models.imports import ImportPayload, ImportRow, RecipientImport
from db.models.installation import Installation, JournalEntry
from db.models.leases import FairShare, Lease
from db.models.mail_reports import AddressHealth, BounceMailbox, MailReport, MailReportMail
from db.models.media import Picture
from db.models.memberships import FormerMember, Membership
from db.models.message_chains import ChainSignal, MessageChain
from db.models.message_records import MessageRecord
from db.models.messages import Claim, Message, MessageBucket, MessageCounter, MessageFailure
from db.models.messenger_accounts import MessengerAccount, MessengerLease, MessengerStateChange
from db.models.outcomes import OutcomeCounter, OutcomeStart
from db.models.persons import Erasure, ErasureAddress, FormerContact, SelfServiceRequest
from db.models.plans import (
    ApprovalRule,
    AudienceDigest,
    AudienceKey,
    ContentEditor,
    ProjectApproval,
    StoredPlan,
)
from db.models.price_lists import Price, PriceList, PriceListVersion
from db.models.provider_invoices import ProviderInvoice, ProviderInvoiceLine
from db.models.purposes import InstallationChoice
from db.models.reach import ReachAddition, ReachCounter, ReachProject, ReachRecipient
from db.models.receivers import ReceiverDay, ReceiverPause, ReceiverRule
from db.models.recipients import Recipient, RecipientAddition
from db.models.reconciliations import Reconciliation, ReconciliationChunk, SigningKey
from db.models.repeatable import RepeatableFiring, RepeatableSendingProject
from db.models.routes import DegradedRoute, Route, RouteReceipt, RouteRule
from db.models.second_factors import RecoveryCode, SecondFactor
from db.models.secret_keys import SecretKey
from db.models.segments import Segment
from db.models.senders import Sender
from db.models.sending_projects import (
    FailureCounter,
    ProjectContent,
    ProjectMailCounter,
    SendingBatch,
    SendingCounter,
    SendingProject,
    StatisticsBucket,
    VariantCounter,
)
from db.models.series import Series, SeriesEntry
from db.models.settings import Setting
from db.models.source_accounts import SourceAccount
from db.models.statements import Statement, StatementMonth
from db.models.submitted_mails import SubmittedMail
from db.models.tariffs import Tariff, TariffUsage
from db.models.templates import Template, TemplateText, TemplateVersion, TemplateWords
from db.models.users import (
    ApiToken,
    ApiTokenMessages,
    ApiTokenSpend,
    PasswordReset,
    RefreshToken,
    Session,
    User,
    UserNotice,
    UserUndo,
)
from db.models.verifications import (
    SuspectedGroup,
    Verification,
    VerificationCode,
    VerificationCounter,
    VerificationDay,
    VerificationProtection,
)
from db.models.webhooks import CallbackSecret, Webhook, WebhookDelivery
