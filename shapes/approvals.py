"""Plans of Sending Projects as objects with a hash, their approvals, and the owner's rule of approval."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import AliasChoices, ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.messages import MessageCategory
from shapes.sending_projects import ProjectChannel
from shapes.shape import BesideRow, Cost, Created, JsonObject, Money, Shape, Text, Timestamp, Uuid
from shapes.values import nothing
from shapes.where import Choice, Ids, TimeSpan, Where

MOST_DIFFERENCES = 40
MOST_SAMPLES = 3
PLAN_DAYS = 7
"""Days for which a plan can be approved and started, if its project does not start later."""
RUN_DAYS = 90
"""Days for which the approval of a run of a repeatable project holds for further runs of the same content."""

_PROJECT = "uuid of the project"
DOCUMENT = (
    "`content`: texts, files, sender, times, rate, and a digest of each recipient with variables; `limits`: the most "
    "recipients and the highest cost; docs/approval.md describes all fields"
)
_ProjectUuid = Annotated[
    UUID,
    Field(
        validation_alias=AliasChoices("project_id", "sendingProjectUuid"),
        serialization_alias="sendingProjectUuid",
        description=_PROJECT,
    ),
    strawberry.field(name="sendingProjectUuid"),
]
PlanHash = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{64}$",
        description="`hash` of a plan of the project",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ),
]
Note = Annotated[
    Text, Field(max_length=2000, description="a note for the others", examples=["Prices checked."])
]


class ApprovalState(DescribedEnum):
    """State of the request to approve a plan."""

    asked = "asked", "it waits for a decision"
    approved = "approved", "the plan may be started as it is, until `expiresAt`"
    refused = "refused", "it was refused; another plan can be asked for"
    withdrawn = "withdrawn", "it was withdrawn before a decision"
    void = "void", "what will be sent was changed, so the plan does not hold any more; `changed` says what"


class ApprovalDecisionKind(DescribedEnum):
    """The decision about a plan."""

    approved = "approved", ApprovalState.approved.description
    refused = "refused", ApprovalState.refused.description


class DecisionObstacle(DescribedEnum):
    """The reason for which a caller may not decide about a plan."""

    api_token = "api_token", "an API token can't decide, nor a login that was opened with one"
    no_permission = "no_permission", "the caller lacks the permission `projects:approve`"
    asked = "asked", "the caller has asked for the approval"
    changed = "changed", "the caller has changed what the plan says since the last approval"


class ApprovalMode(DescribedEnum):
    """Says which projects need an approval."""

    off = "off", "none does"
    above = (
        "above",
        "those with more recipients than `aboveRecipients`, or that may cost more than `aboveAmount`",
    )
    always = "always", "every project does"


class StoredPlanFields(Shape):
    """A plan of a project as an object: the messages, the audience and the highest cost, under one hash.

    It never changes. A start with its hash sends exactly this, or is refused.
    """

    id: Uuid
    project_id: _ProjectUuid
    number: Annotated[int, Field(description="number of the plan among those of the project, from 1")]
    hash: Annotated[
        str, Field(description="SHA-256 of the document's canonical JSON (RFC 8785), in hexadecimal digits")
    ]
    at_most: Annotated[
        Money | None,
        Field(description="what the messages may cost together; null: the tariff had no price"),
    ]
    at_most_recipients: Annotated[
        int, Field(description="the most recipients; an audience of topics or segments may grow up to it")
    ]
    made_by: Annotated[UUID | None, Field(description="the person who made it, also by an API token")]
    created_at: Created
    expires_at: Annotated[Timestamp, Field(description="until when it can be approved and started")]
    superseded_at: Annotated[
        Timestamp | None, Field(description="when a newer plan took its place; null: it is the newest")
    ]


class StoredPlan(StoredPlanFields):
    __doc__ = StoredPlanFields.__doc__

    document: Annotated[JsonObject, Field(description=DOCUMENT)]


class PlanDifference(Shape):
    """A field in which two plans differ."""

    field: Annotated[str, Field(description="name of the field in the plan's `content` or `limits`")]
    old: Annotated[str | None, Field(description="its value in the older plan: a text, or JSON")]
    new: Annotated[str | None, Field(description="its value in the newer plan")]


class Approval(Shape):
    """The request to approve a plan of a project, and the decision."""

    id: Uuid
    project_id: _ProjectUuid
    plan_id: Annotated[
        UUID,
        Field(
            validation_alias=AliasChoices("plan_id", "planUuid"),
            serialization_alias="planUuid",
            description="uuid of the plan",
        ),
        strawberry.field(name="planUuid"),
    ]
    plan_hash: Annotated[str, Field(description="`hash` of the plan")]
    owner_id: Annotated[UUID, Field(description="the user whose project it is")]
    state: Annotated[ApprovalState, Field(description="whether it was decided, and in which way")]
    asked_by: Annotated[UUID | None, Field(description="the person who has asked, also by an API token")]
    asked_by_token: Annotated[
        UUID | None, Field(description="the API token that has asked; null: a person did")
    ]
    decided_by: Annotated[UUID | None, Field(description="the person who has approved or refused it")]
    note: Annotated[str | None, Field(description="the note of who has decided, until then of who has asked")]
    reason: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("reason", "changed"),
            serialization_alias="changed",
            description="what was changed, if that has voided it",
        ),
        strawberry.field(name="changed"),
    ]
    voided_by: Annotated[UUID | None, Field(description="the person who changed it, if that has voided it")]
    asked_at: Annotated[Timestamp, Field(description="when it was asked for")]
    decided_at: Annotated[
        Timestamp | None, Field(description="when it was decided, withdrawn or voided; null: not yet")
    ]
    expires_at: Annotated[Timestamp, Field(description="until when an approval holds")]


class PlannedMessage(Shape):
    """The message that one recipient would get by a plan."""

    to: Annotated[
        str, Field(description="the address; without the permission `recipients:read` only a part of it")
    ]
    subject: Annotated[str | None, Field(description="subject of an email")]
    body: Annotated[str, Field(description="the text")]
    html: Annotated[str | None, Field(description="HTML of an email")]
    missing: Annotated[list[str], Field(description="variables of the text that this recipient lacks")]


class ProjectSamples(Shape):
    """The messages that a few recipients of a project would get now."""

    sender: Annotated[
        str | None,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="the From of the emails, or the sender of the SMS, also if the project names none; null: only "
            "the provider knows it",
            examples=["News <news@example.com>"],
        ),
        strawberry.field(
            name="from",
            description="the From of the emails, or the sender of the SMS, also if the project names none; null: only "
            "the provider knows it",
        ),
    ]
    messages: Annotated[
        list[PlannedMessage],
        Field(description="the messages of at most three recipients, one of whom may lack a variable"),
        Cost(most=MOST_SAMPLES),
    ]


class ApprovalReviewFields(Shape):
    """All that is to be seen before a decision: the plan, what changed since the last approval, and real messages."""

    asked_by_email: Annotated[str | None, Field(description="the email of the person who has asked")]
    is_current: Annotated[
        bool, Field(description="true: the plan is what would be sent now; false: it was changed since")
    ]
    differences: Annotated[
        list[PlanDifference],
        Field(description="in what the plan differs from `since`; empty if there is none"),
        Cost(most=MOST_DIFFERENCES),
    ]
    messages: Annotated[
        list[PlannedMessage],
        Field(
            description="the messages of three recipients from the beginning, the middle and the end of the list; none "
            "without `projects:approve` or `recipients:read`"
        ),
        Cost(most=MOST_SAMPLES),
    ]
    may_decide: Annotated[bool, Field(description="whether you may decide")]
    why_not: Annotated[str | None, Field(description="why you may not, as a sentence; null if you may")]
    why_not_code: Annotated[
        DecisionObstacle | None, Field(description="why you may not, as a code; null if you may")
    ]


class ApprovalReview(ApprovalReviewFields):
    __doc__ = ApprovalReviewFields.__doc__

    approval: Annotated[Approval, Field(description="the request")]
    plan: Annotated[StoredPlan, Field(description="the plan that it is about")]
    since: Annotated[
        StoredPlan | None,
        Field(description="the plan of this project, or of the run before, that was approved last"),
    ]


def _ask_rules(schema: dict[str, Any]) -> None:
    schema["examples"] = [{"planHash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}]


class AskApproval(Shape):
    """The plan to ask an approval for: the newest one of the project."""

    model_config = ConfigDict(json_schema_extra=_ask_rules)

    plan_hash: PlanHash
    note: Note | None = None


class DecideApproval(Shape):
    """The decision about a plan. The hash says that it is about what the caller has seen."""

    plan_hash: PlanHash
    decision: Annotated[ApprovalDecisionKind, Field(description="approved or refused")]
    note: Note | None = None

    @model_validator(mode="after")
    def _say_why(self) -> Self:
        if self.decision is ApprovalDecisionKind.refused and not self.note:
            raise ValueError("note is missing: say why it is refused")
        return self


class StartProject(Shape):
    """The plan that a start must obey."""

    plan_hash: Annotated[
        PlanHash | None,
        Field(
            description="`hash` of a plan; the start is refused (`plan_changed`) if it would send anything else"
        ),
    ] = None


class StoredPlanWhere(Where):
    """Filter for plans that were made."""

    kinds: ClassVar[Mapping[str, str]] = {"sending_project_uuid": "SendingProject"}

    sending_project_uuid: Annotated[Ids | None, Field(description=_PROJECT)] = None


class ApprovalWhere(Where):
    """Filter for approvals."""

    kinds: ClassVar[Mapping[str, str]] = {
        "sending_project_uuid": "SendingProject",
        "repeatable_uuid": "RepeatableSendingProject",
    }

    state: Annotated[Choice[ApprovalState] | None, Field(description="the state")] = None
    sending_project_uuid: Annotated[Ids | None, Field(description=_PROJECT)] = None
    repeatable_uuid: Annotated[
        Ids | None, Field(description="the repeatable project that has made the project")
    ] = None
    asked_at: Annotated[TimeSpan | None, Field(description="when it was asked for")] = None


_ABOVE_RECIPIENTS = (
    "projects with more recipients need an approval, in the mode `above`; null: their number does not matter"
)
_ABOVE_AMOUNT = (
    "projects that may cost more need an approval, in the mode `above`; null: their cost does not matter"
)
_CHANNELS = "only projects of these channels need one; empty: of all"
_CATEGORIES = "only projects of these categories need one; empty: of all"
_SELF = (
    "whether a person may approve what they have changed or asked for themselves; for owners who work alone. "
    "It is still an approval of the exact plan"
)


class ApprovalRule(Shape):
    """The rule by which an owner's projects need an approval before they start."""

    mode: Annotated[ApprovalMode, Field(description="which projects need an approval")] = ApprovalMode.off
    above_recipients: Annotated[int | None, Field(description=_ABOVE_RECIPIENTS)] = None
    above_amount: Annotated[Money | None, Field(description=_ABOVE_AMOUNT)] = None
    channels: Annotated[list[ProjectChannel], Field(description=_CHANNELS)] = Field(default_factory=list)
    categories: Annotated[list[MessageCategory], Field(description=_CATEGORIES)] = Field(default_factory=list)
    self_approval: Annotated[bool, Field(description=_SELF)] = False
    updated_at: Annotated[
        Timestamp | None, Field(description="when it was last changed; null: never"), BesideRow()
    ] = None


class ApprovalRuleInput(Shape):
    """The new rule of approval; it replaces the one before."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"mode": "above", "aboveRecipients": 100, "channels": ["sms", "email"]}]
        }
    )

    mode: Annotated[ApprovalMode, Field(description="which projects need an approval")]
    above_recipients: Annotated[int, Field(ge=0, le=100_000_000, description=_ABOVE_RECIPIENTS)] | None = (
        Field(default_factory=nothing)
    )
    above_amount: Annotated[Decimal, Field(ge=0, le=10**12, description=_ABOVE_AMOUNT)] | None = Field(
        default_factory=nothing
    )
    channels: Annotated[
        list[ProjectChannel], Field(max_length=len(ProjectChannel), description=_CHANNELS)
    ] = Field(default_factory=list)
    categories: Annotated[
        list[MessageCategory], Field(max_length=len(MessageCategory), description=_CATEGORIES)
    ] = Field(default_factory=list)
    self_approval: Annotated[bool, Field(description=_SELF)] = False

    @model_validator(mode="after")
    def _above_what(self) -> Self:
        if self.mode is ApprovalMode.above and self.above_recipients is None and self.above_amount is None:
            raise ValueError("aboveRecipients or aboveAmount must be given for the mode above")
        return self
