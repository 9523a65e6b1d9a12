"""The one list of modules: what each consists of, which purposes switch it on, and what of it others may import.

kernel     operations, doors, lists, sending, ledger, jobs, files, who may: never off
module     a part that a purpose switches on (contract §9.9)

rest, schema          take their features from `stems`
engine/worker.py      imports the files of `works`, which register their jobs and rounds
runtime/operation.py  refuses an operation of `switched` while its module is off
tools/module_imports.py  holds `packages` and `entry_points` against the imports of the code
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from shapes.purposes import Module, Purpose


@dataclass(frozen=True, slots=True)
class Parts:
    """Lists the parts of a module, or of the kernel."""

    stems: tuple[str, ...]
    """Features that are always there: those of the kernel, and of a module those with operations of the specification,
    and those whose links people have already got."""
    switched: tuple[str, ...] = ()
    """Features whose operations are refused while the module is off."""
    packages: tuple[str, ...] = ()
    """Packages of `engine` that are the module's alone."""
    works: tuple[str, ...] = ()
    """Files of `engine` that register jobs and rounds when they are imported."""
    entry_points: tuple[str, ...] = ()
    """Modules of Python that the kernel and other modules may import."""
    tests: tuple[str, ...] = ()
    """Folders of tests beside those that are called like a feature or a package; `make test MODULE=…` runs them."""


KERNEL: Final = Parts(
    stems=(
        "health",
        "auth",
        "first_user",
        "api_tokens",
        "agents",
        "second_factors",
        "members",
        "audit",
        "users",
        "undo",
        "accounts",
        "messages",
        "message_batches",
        "message_chains",
        "submissions",
        "status_callbacks",
        "settings",
        "common",
        "sending_projects",
        "project_actions",
        "project_costs",
        "project_plans",
        "approvals",
        "reconciliations",
        "statements",
        "recipients",
        "imports",
        "message_records",
        "repeatable",
        "blocks",
        "files",
        "media",
        "exports",
        "statistics",
        "project_results",
        "outcomes",
        "persons",
        "processing",
        "sending_channels",
        "source_accounts",
        "events",
        "hooks",
        "unsubscribe",
        "clicks",
        "web_copies",
        "ai",
        "trial",
        "storage",
        "system",
        "purposes",
        "providers",
        "legacy",
        "metrics",
        "docs",
        "guide",
        "graphiql",
        "console",
        "console_page",
        "changes",
        "verifications",
        "verification_pages",
        "templates",
        "template_versions",
        "brands",
        "brand_domains",
    ),
    works=(
        "brands.domains",
        "chains.stepper",
        "files",
        "imports",
        "imports.bulk_add",
        "secret_keys",
        "direct.password_mail",
        "exports.export_links",
        "persons.erasing",
        "persons.self_service",
        "projects.audience",
        "projects.contact_audience",
        "projects.repeatable",
        "projects.scheduler",
        "reach",
        "reconciliations.making",
        "restore.fence",
        "restore.journal",
        "sending.down_sessions",
        "statements.making",
        "statements.months",
        "upkeep.counter_generations",
        "upkeep.ledger_sums",
        "upkeep.partitions",
        "upkeep.retention",
        "users.notices",
        "verifications.upkeep",
    ),
)

MODULES: Final[Mapping[Module, Parts]] = MappingProxyType(
    {
        Module.people: Parts(
            stems=("signups", "preferences", "self_service"),
            switched=(
                "contacts",
                "contact_fields",
                "topics",
                "segments",
                "topic_subscriptions",
                "signup_forms",
                "contact_imports",
                "contact_timeline",
                "series",
            ),
            packages=("contacts", "consent", "series"),
            works=("consent.expiry", "series.entering", "series.stepping"),
            entry_points=(
                "engine.consent.changes",
                "engine.consent.opt_in_texts",
                "engine.consent.topic_names",
                "engine.contacts.field_values",
                "engine.contacts.history",
                "engine.contacts.locks",
                "engine.contacts.matching",
                "engine.contacts.segments",
                "engine.contacts.upsert",
                "resolvers.contacts.contact_rows",
                "resolvers.signups",
                "resolvers.signups.visitor",
            ),
        ),
        Module.trade: Parts(
            stems=("tariffs",),
            switched=(
                "price_lists",
                "quotes",
                "country_rules",
                "route_rules",
                "senders",
                "costs",
                "provider_invoices",
            ),
            packages=("sms", "tariffs", "costs", "provider_invoices"),
            tests=("sms_countries",),
            works=("costs.traffic", "provider_invoices.comparing", "sms.degraded_routes"),
            entry_points=(
                "engine.costs.traffic",
                "engine.sms.approved_senders",
                "engine.sms.countries",
                "engine.sms.country_caps",
                "engine.sms.country_rules",
                "engine.sms.price_books",
                "engine.sms.route_receipts",
                "engine.sms.route_rules",
                "engine.sms.senders",
                "engine.tariffs",
            ),
        ),
        Module.mail: Parts(
            stems=(),
            switched=("mail_reports", "deliverability", "receivers", "domains"),
            packages=("mail_reports", "domains", "receivers"),
            works=(
                "domains.checks",
                "mail_reports.degraded",
                "mail_reports.door",
                "mail_reports.mailbox",
                "domains.mx",
                "receivers.rules",
            ),
            entry_points=(
                "engine.domains.approval",
                "engine.domains.clock",
                "engine.domains.dkim_keys",
                "engine.domains.senders",
                "engine.mail_reports.classes",
                "engine.mail_reports.effects",
                "engine.mail_reports.mime",
                "engine.mail_reports.providers",
                "engine.mail_reports.reading",
                "engine.mail_reports.recording",
                "engine.mail_reports.reference",
                "engine.mail_reports.report",
                "engine.receivers.admission",
                "engine.receivers.rules",
            ),
        ),
        Module.messengers: Parts(
            stems=("messenger_accounts", "logins", "chats", "configuration", "presence"),
            switched=(
                "messenger_relations",
                "inbox",
                "chat_labels",
                "chat_notes",
                "chat_search",
                "canned_answers",
            ),
            packages=("messengers",),
            tests=("messenger_hosts", "telegram", "whatsapp", "whatsapp_cloud", "proxies"),
            works=(
                "messengers.accounts",
                "messengers.event_writer",
                "messengers.restrictions",
                "messengers.sending",
            ),
            entry_points=(
                "engine.messengers.accounts",
                "engine.messengers.attempts",
                "engine.messengers.channel",
                "engine.messengers.cloud_hooks",
                "engine.messengers.host",
                "engine.messengers.project_links",
                "resolvers.messenger_accounts.account_rows",
            ),
        ),
        Module.events: Parts(
            stems=("webhooks", "webhook_deliveries"),
            switched=("event_feed", "event_sinks"),
            packages=("feed", "sinks", "webhooks"),
            tests=("event_webhooks",),
            works=("feed.rounds", "sinks.rounds", "sinks.upkeep", "webhooks.deliverer", "webhooks.upkeep"),
            entry_points=(
                "engine.feed.event_feed",
                "engine.webhooks.callbacks",
                "engine.webhooks.chat_bodies",
                "engine.webhooks.endpoints",
                "engine.webhooks.outbox",
                "engine.webhooks.sealed",
            ),
        ),
    }
)

SWITCHED_ON_BY: Final[Mapping[Purpose, frozenset[Module]]] = MappingProxyType(
    {
        Purpose.campaigns: frozenset({Module.people, Module.mail, Module.trade}),
        Purpose.answers: frozenset({Module.messengers}),
        Purpose.api: frozenset({Module.mail, Module.trade, Module.events}),
        Purpose.resale: frozenset({Module.mail, Module.trade, Module.events}),
    }
)
"""The modules of each purpose. Who sends SMS needs `trade`: without a sender ID many countries take none."""

_BY_STEM: Final = {stem: module for module, parts in MODULES.items() for stem in parts.switched}


def features(files: frozenset[str]) -> tuple[str, ...]:
    """Returns the stems that have a file among these, those of the kernel first. Raises ValueError for a file that no
    module has.
    """
    stems = tuple(_stems())
    if missing := files.difference(stems):
        raise ValueError(f"core/modules.py names no module of {', '.join(sorted(missing))}")
    return tuple(stem for stem in stems if stem in files)


def works() -> tuple[str, ...]:
    """Returns the files of `engine` that register jobs and rounds."""
    return tuple(work for parts in (KERNEL, *MODULES.values()) for work in parts.works)


def switch_of(operation: str) -> Module | None:
    """Returns the module whose switch an operation obeys, given its name, `contacts.list`; None: it is never off."""
    return _BY_STEM.get(operation.partition(".")[0])


def switched_on(purposes: frozenset[Purpose]) -> frozenset[Module]:
    """Returns the modules that are on; all of them if no purpose was chosen."""
    if not purposes:
        return frozenset(Module)
    return frozenset().union(*(SWITCHED_ON_BY[purpose] for purpose in purposes))


def _stems() -> Iterator[str]:
    yield from KERNEL.stems
    for parts in MODULES.values():
        yield from parts.stems
        yield from parts.switched
