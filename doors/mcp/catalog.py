"""The tools that agents are offered: few, so that a model can choose, and short, since it reads all of them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from doors.mcp.tool import Comparison, Tool
from resolvers import (
    accounts,
    auth,
    contacts,
    messages,
    project_plans,
    recipients,
    sending_projects,
    templates,
)
from shapes.accounts import Account
from shapes.approvals import StoredPlan
from shapes.contacts import Contact
from shapes.message_chains import Message, SendMessage
from shapes.messages import Direction, MessageChannel, MessageStatus
from shapes.recipients import AddedRecipients
from shapes.sending_projects import ProjectStatus, SendingProject
from shapes.shape import NO_NUL
from shapes.templates import Template
from shapes.users import User

_MESSAGE: Final = (
    "id",
    "channel",
    "direction",
    "status",
    "deliveryState",
    "to",
    "sender",
    "body",
    "failureCode",
    "failureReason",
    "price",
    "sendAt",
    "createdAt",
)
_STRANGERS: Final = frozenset({"body", "sender", "failureReason"})
_PROJECT: Final = (
    "uuid",
    "name",
    "channel",
    "status",
    "statusReason",
    "subject",
    "text",
    "counts",
    "startAt",
    "createdAt",
)
_OTHERS: Final = frozenset({"name", "subject", "text"})
"""The fields of a project that another member may have written."""
_PLAN: Final = ("uuid", "sendingProjectUuid", "number", "hash", "atMost", "atMostRecipients", "expiresAt")
_Text = Annotated[str, Field(max_length=100, pattern=NO_NUL)]

TOOLS: Final[Sequence[Tool]] = (
    Tool("who_am_i", auth.me, User, ("id", "email", "roles", "status")),
    Tool(
        "list_accounts",
        accounts.page,
        Account,
        ("id", "name", "balance", "owed", "currency"),
        strangers=frozenset({"name"}),
    ),
    Tool(
        "send_message",
        messages.send,
        Message,
        _MESSAGE,
        input=SendMessage,
        takes=(
            "to",
            "channel",
            "body",
            "metadata",
            "templateKey",
            "locale",
            "variables",
            "category",
            "accountId",
            "sendAt",
        ),
        says="It is for one person; make a project for several. An email needs metadata.subject.",
        strangers=_STRANGERS,
        sends=True,
    ),
    Tool("get_message", messages.explained, Message, (*_MESSAGE, "waitingFor"), strangers=_STRANGERS),
    Tool(
        "list_messages",
        messages.page,
        Message,
        _MESSAGE,
        filters={
            "direction": Comparison(Direction, "direction"),
            "status": Comparison(MessageStatus, "status"),
            "channel": Comparison(MessageChannel, "channel"),
            "to": Comparison(_Text, "to"),
        },
        says="Answers of people are the messages of direction inbound.",
        strangers=_STRANGERS,
    ),
    Tool("cancel_message", messages.cancel, Message, _MESSAGE, strangers=_STRANGERS, destroys=True),
    Tool(
        "list_templates",
        templates.page,
        Template,
        ("id", "key", "name", "category", "version"),
        filters={"key": Comparison(_Text, "key")},
        strangers=frozenset({"name"}),
    ),
    Tool(
        "find_contacts",
        contacts.page,
        Contact,
        ("id", "externalId", "name", "locale", "timezone", "fields", "addresses"),
        filters={
            "name": Comparison(_Text, "name", "contains"),
            "address": Comparison(_Text, "address"),
            "externalId": Comparison(_Text, "external_id"),
        },
        strangers=frozenset({"name", "fields", "addresses", "externalId"}),
    ),
    Tool(
        "list_projects",
        sending_projects.page,
        SendingProject,
        ("uuid", "name", "channel", "status", "statusReason", "startAt", "createdAt"),
        filters={"status": Comparison(ProjectStatus, "status")},
        strangers=_OTHERS,
    ),
    Tool("get_project", sending_projects.get, SendingProject, _PROJECT, strangers=_OTHERS),
    Tool(
        "create_project",
        sending_projects.create,
        SendingProject,
        _PROJECT,
        takes=(
            "name",
            "channel",
            "subject",
            "text",
            "html",
            "templateKey",
            "locale",
            "category",
            "startAt",
            "audience",
        ),
        says="It is a draft, which sends nothing: add recipients or an audience, then plan it.",
        strangers=_OTHERS,
    ),
    Tool(
        "add_recipients",
        recipients.add,
        AddedRecipients,
        ("added", "duplicates", "invalidCount", "invalid", "pending"),
        takes=("recipients",),
        requires=("recipients",),
    ),
    Tool(
        "plan_project",
        project_plans.make,
        StoredPlan,
        _PLAN,
        says="Let a person see it before you start it.",
    ),
    Tool(
        "start_project",
        sending_projects.start,
        SendingProject,
        _PROJECT,
        takes=("planHash",),
        requires=("planHash",),
        says="If it needs an approval, the answer says where a person gives it; you can't.",
        strangers=_OTHERS,
        sends=True,
        is_same_act=False,
    ),
    Tool("stop_project", sending_projects.stop, SendingProject, _PROJECT, strangers=_OTHERS, destroys=True),
)
"""Fifteen tools: accounts, single messages, contacts, and projects from a draft to its results."""

BY_NAME: Final[Mapping[str, Tool]] = {tool.name: tool for tool in TOOLS}
