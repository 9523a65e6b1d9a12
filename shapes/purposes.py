"""The purposes of an installation, its modules, and whether messages cost money (contract §9.9, 9.10)."""

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.rules import never_null
from shapes.shape import Cost, Shape, Timestamp
from shapes.values import nothing


class Purpose(DescribedEnum):
    """A purpose of an installation. Several may be chosen; each switches on the modules that it needs."""

    campaigns = "campaigns", "send to our customers: people, campaigns"
    answers = "answers", "answer messages: messenger accounts, inbox"
    api = "api", "messages for our programs: API, webhooks"
    resale = "resale", "sell messaging to others: accounts, prices, routes, credit"


class Module(DescribedEnum):
    """A part of Postern that a purpose switches on. The operations of the specification are never off."""

    messengers = "messengers", "the inbox of messenger accounts, with labels, notes and canned answers"
    people = "people", "contacts, segments, topics, sign-up forms and preferences"
    trade = "trade", "prices, quotes, SMS routes, sender IDs and countries"
    mail = "mail", "domains of emails, returned mail and deliverability"
    events = "events", "the feed of all events, its webhooks and event sinks"


class Billing(DescribedEnum):
    """The way in which messages are paid for."""

    prepaid = "prepaid", "a message is charged to an account before it is sent, as the specification says"
    off = "off", "nothing costs anything: prices are 0, and no request is refused for the lack of money"


class ModuleUse(Shape):
    """A module, and what goes on in it."""

    name: Annotated[Module, Field(description="name of the module")]
    on: Annotated[bool, Field(description="whether it is on: chosen, or nothing was chosen yet")]
    going_on: Annotated[
        list[str],
        Field(
            description="what goes on in it, whether it is on or off, such as `2 event sinks`; empty: nothing"
        ),
    ]


class InstallationView(Shape):
    """The facts about an installation that a front end needs."""

    modules: Annotated[list[Module], Field(description="the modules that are on")]
    billing: Annotated[Billing, Field(description="whether messages cost money")]
    purposes: Annotated[
        list[Purpose], Field(description="the chosen ones; empty: none, and all modules are on")
    ]
    writes_texts: Annotated[
        bool, Field(description="a language model is configured, which writes texts (`generateText`)")
    ] = False


class Purposes(Shape):
    """The purposes of an installation, for administrators."""

    purposes: Annotated[
        list[Purpose], Field(description="the chosen ones; empty: none, and all modules are on")
    ]
    modules: Annotated[list[ModuleUse], Field(description="all modules"), Cost(most=5)]
    billing: Annotated[Billing, Field(description="whether messages cost money")]
    billing_since: Annotated[
        Timestamp | None, Field(description="when billing was last switched; null: never")
    ] = None
    purposes_by_setting: Annotated[
        bool, Field(description="POSTERN_PURPOSE sets the purposes, so they can't be changed here")
    ] = False
    billing_by_setting: Annotated[
        bool, Field(description="POSTERN_BILLING sets the billing, so it can't be changed here")
    ] = False
    changed_at: Annotated[Timestamp | None, Field(description="when an administrator last changed this")] = (
        None
    )


def _patch_rules(schema: dict[str, Any]) -> None:
    never_null("purposes", "billing")(schema)
    schema["examples"] = [{"purposes": ["campaigns"], "billing": "off"}]


class PurposesPatch(Shape):
    """A change of the purposes, or of the billing. All processes follow it within two seconds."""

    model_config = ConfigDict(json_schema_extra=_patch_rules)

    purposes: Annotated[
        list[Purpose] | None,
        Field(max_length=len(Purpose), description="all that it is for; empty: all modules are on"),
    ] = Field(default_factory=nothing)
    billing: Annotated[
        Billing | None,
        Field(
            description="whether messages cost money; left out: it stays, but the first choice of purposes without"
            " `resale` switches it off"
        ),
    ] = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        changes = [getattr(self, name) for name in self.model_fields_set]
        if not changes or None in changes:
            raise ValueError("purposes or billing must be given, and neither can be null")
        return self
