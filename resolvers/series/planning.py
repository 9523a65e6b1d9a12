"""The plan of a series: what would be sent to whom, its hash, which a start has to name, and what it would cost."""

from decimal import Decimal
from typing import Any, Final, NamedTuple

from engine.direct.new_messages import PAYER
from engine.projects import contact_audience
from engine.projects.approvals.content import hash_of
from engine.projects.audience_sizes import size_in_time
from engine.series.entering import audience_of
from engine.sms.price_books import price_books, price_of
from resolvers.series.series_rows import texts_of_step
from runtime.operation import Op
from shapes.sending_projects import ProjectChannel
from shapes.series import ExistingMembers
from shapes.series_plans import SeriesPlan, SeriesPlanStep

_CONTENT: Final = (
    "account_id", "category", "topic_id", "segment_id", "existing", "stop_on_reply", "stop_on_leave",
    "on_missing_variable", "window", "max_entries", "steps",
)  # fmt: skip
"""The columns that a plan covers."""


class Planned(NamedTuple):
    """A series as it would be started now."""

    hash: str
    conditions: Any  # what its segment asks for


async def planned(db: Any, series: Any) -> Planned:
    """Returns the hash of what a series would send to whom, as it is now."""
    conditions = await contact_audience.conditions(db, series.owner_id, audience_of(_columns(series)))
    content = {name: _plain(getattr(series, name)) for name in _CONTENT}
    # A template's version never changes, so its number stands for its text. The time is no content.
    document = {"format": 1, "content": {**content, "segments": conditions["segments"]}}
    return Planned(hash_of(document), conditions)


async def plan_of(op: Op, db: Any, series: Any) -> SeriesPlan:
    """Returns the plan of a series. Raises BadRequest (its segment can't be read, or a template was archived),
    NotFound, Unavailable.
    """
    now = await planned(db, series)
    is_first = series.started_at is None
    members = await _members(db, series, now.conditions)
    enters = members if is_first and series.existing == ExistingMembers.enter else 0
    payer = await db.fetchrow(PAYER, series.account_id)
    is_free = (await op.services.choices.now(db)).is_free
    steps, per_person = [], Decimal(0)
    for number, step in enumerate(series.steps, 1):
        channel = ProjectChannel(step["channel"])
        text = await texts_of_step(db, series.owner_id, step)
        languages = text["languages"]["texts"] if text["languages"] else [{"locale": text["template_locale"]}]
        price: Decimal | None = Decimal(0)
        if not is_free:
            book = await price_books(op.services).of(payer["price_version_id"], channel.value)
            listed = (
                None
                if book is not None and book.has(channel.value)
                else price_of(payer, channel.value, "", book)
            )
            price = None if listed is None else listed.amount
        per_person = per_person if price is None else per_person + price
        steps.append(
            SeriesPlanStep(
                number=number,
                channel=channel,
                template_key=step["templateKey"],
                template_version=text["template_version"],
                template_locale=text["template_locale"],
                locale_from=step.get("localeFrom"),
                locales=[language["locale"] for language in languages],
                files=len(text["attachment_uuids"]),
                subject=text["subject"],
                text=text["text"],
                price=price,
            )
        )
    total = None if any(step.price is None for step in steps) else per_person
    return SeriesPlan(
        hash=now.hash,
        members_now=members,
        enters_now=enters,
        currency=payer["currency"],
        price_per_person=total,
        cost_now=None if total is None or enters is None else total * enters,
        steps=steps,
    )


async def _members(db: Any, series: Any, conditions: Any) -> int | None:
    """Returns how many people are in the topic or segment now; None if they can't be counted in a few seconds."""
    asked = {
        "owner_id": series.owner_id,
        "channel": series.channel,
        "audience": audience_of(_columns(series)),
        "audience_segments": conditions,
    }
    return await size_in_time(db, asked)


def _columns(series: Any) -> dict[str, Any]:
    return {"topic_id": series.topic_id, "segment_id": series.segment_id}


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | list | dict | None) else str(value)
