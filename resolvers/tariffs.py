"""Tariffs (contract §3). engine/tariffs.py and resolvers/messages/__init__.py enforce their limits."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import any_, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from core.errors import Forbidden, NotFound, ValidationFailed
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import Query, columns, p
from db.session import driver_connection
from engine.projects import jobs
from resolvers import price_lists
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.page import Rows
from shapes.sending_projects import ProjectStatus
from shapes.tariffs import CurrentTariff, SetTariff, TariffUse

LIVING = (ProjectStatus.scheduled, ProjectStatus.running, ProjectStatus.paused)


def _used(whose: Any) -> tuple[Any, Any]:
    """Returns the columns for how much of a user's tariff is used."""
    project, usage = models.SendingProject, models.TariffUsage
    projects = (
        select(func.count())
        .select_from(project)
        .where(project.owner_id == whose, or_(*(project.status == status.value for status in LIVING)))
    )
    messages = select(usage.messages).where(
        usage.user_id == whose, usage.day == func.date(func.timezone("UTC", func.now()))
    )
    return (
        projects.scalar_subquery().label("concurrent_projects"),
        func.coalesce(messages.scalar_subquery(), 0).label("messages_today"),
    )


_CURRENT = Query(
    models.Tariff,
    select(*columns(models.Tariff), *_used(models.User.id))
    .join(models.User, models.User.tariff_code == models.Tariff.code)
    .where(models.User.id == p("user_id")),
)


_OWN = select(models.User.tariff_code).where(models.User.id == p("user_id")).scalar_subquery()
_SEEN = models.Tariff.public | (models.Tariff.code == _OWN)
_LISTS = Listing(models.Tariff, key=models.Tariff.code, descending=False)
_OF_USERS = Query(
    models.Tariff,
    select(models.User.id.label("user_id"), *columns(models.Tariff))
    .join(models.User, models.User.tariff_code == models.Tariff.code)
    .where(models.User.id == any_(p("ids", like=models.User.id))),
)


@operation(Permission.tariffs_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Tariff]:
    """Lists the tariffs that you can select, and your own, sorted by code; administrators get all tariffs."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_SEEN), user_id=op.viewer.id)


@operation(Permission.tariffs_read, "read")
async def of_users(op: Op, users: Sequence[UUID]) -> Sequence[models.Tariff | None]:
    """Returns each user's tariff; None for a user that the caller may not see."""
    seen = [id for id in users if op.viewer.admin or id == op.viewer.id]
    rows: Sequence[Any] = await _OF_USERS.all(op.db, ids=seen) if seen else []
    by_user = {row.user_id: row for row in rows}
    return [by_user.get(id) for id in users]


@operation(Permission.tariffs_read, "read")
async def current(op: Op) -> CurrentTariff:
    """Returns your tariff and how much of its limits is used."""
    return _current(await _CURRENT.first(op.db, user_id=op.viewer.id), op.services.db.now())


@operation(Permission.tariffs_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.Tariff]:
    """Returns what `page` returns, by page numbers."""
    return await _LISTS.numbered(op.db, page, limit, {}, *op.own(_SEEN), user_id=op.viewer.id)


@operation(Permission.tariffs_write)
async def set(op: Op, input: SetTariff) -> CurrentTariff:
    """Selects a tariff by its code. With further fields, creates or changes that tariff, for administrators.

    The tariff is set for a user, or for the caller. Raises Forbidden if another user sends a configuration, NotFound
    (tariff, user, price list), ValidationFailed.
    """
    configured = _configured(input)
    if configured:
        if not op.viewer.admin:
            raise Forbidden(
                "Only administrators may create or change tariffs. Send only `code` to choose one."
            )
        if input.price_list_id is not None:
            await price_lists.require(op, input.price_list_id)
        await _save(op, input.code, configured, public=input.user_uuid is None)
        if "messages_per_minute" in configured:
            await _hasten(op, models.User.tariff_code == input.code)
    if input.user_uuid is not None or not configured:
        await _give(op, input.code, input.user_uuid or op.viewer.id)
    used = _used(input.user_uuid or op.viewer.id)
    result = await op.session.execute(
        select(*columns(models.Tariff), *used).where(models.Tariff.code == input.code)
    )
    return _current(result.mappings().one(), op.services.db.now())


def _configured(input: SetTariff) -> dict[str, Any]:
    """Returns the fields given beside the code, as the table stores them."""
    fields = input.model_dump(mode="json", exclude={"code", "user_uuid", "price_list_id"}, exclude_none=True)
    if "price_list_id" in input.model_fields_set:  # null takes the list away
        fields["price_list_id"] = input.price_list_id
    if input.prices is not None:
        fields["prices"] = {
            currency: {channel.value: float(price) for channel, price in prices.items()}
            for currency, prices in input.prices.items()
        }
    if input.channels is not None:
        fields["channels"] = [*dict.fromkeys(fields["channels"])]
    return fields


async def _save(op: Op, code: str, fields: dict[str, Any], *, public: bool) -> None:
    """Creates or changes a tariff. Fields that are not given stay; in a new tariff they get the column's default.

    `public`: whether a new tariff is public if that is not given. One that is made for a user is not.
    """
    changed = update(models.Tariff).where(models.Tariff.code == code).values(**fields)
    if await op.session.scalar(changed.returning(models.Tariff.code)) is not None:
        return
    if "prices" not in fields:
        raise ValidationFailed(["prices: must be given for a new tariff"])
    made = insert(models.Tariff).values(code=code, **{"name": code, "public": public, **fields})
    await op.session.execute(made.on_conflict_do_update(index_elements=["code"], set_=fields))


async def _give(op: Op, code: str, user_id: UUID) -> None:
    """Assigns the tariff. Raises NotFound for a tariff or a user that the caller may not see."""
    if not (op.viewer.admin or user_id == op.viewer.id):
        raise NotFound("There is no user with this id. Check the id.", code="user_not_found")
    tariff = await op.session.get(models.Tariff, code, with_for_update={"key_share": True, "read": True})
    user = await op.session.get(models.User, user_id, with_for_update={"key_share": True})
    if user is None:
        raise NotFound("There is no user with this id. Check the id.", code="user_not_found")
    if tariff is None or not (tariff.public or op.viewer.admin or user.tariff_code == code):
        raise NotFound(
            "There is no such tariff, or you may not choose it. GET /user/tariff/all/configs lists those"
            " that you may choose.",
            code="tariff_not_found",
        )
    user.tariff_code = code
    await op.session.flush()
    await _hasten(op, models.User.id == user_id)


async def _hasten(op: Op, whose: Any) -> None:
    """Makes the running projects of these users go on at the rate that they have now."""
    project = models.SendingProject
    of_them = select(project.id).join(models.User, models.User.id == project.owner_id).where(whose)
    running = await op.session.scalars(of_them.where(project.status == ProjectStatus.running.value))
    if ids := running.all():
        await jobs.hasten_cycles(await driver_connection(op.session), ids)


def _current(row: Any, now: datetime) -> CurrentTariff:
    tariff = {
        column.key: row[column.key]
        for column in models.Tariff.__table__.columns
        if column.key != "created_at"
    }
    tomorrow = now.date() + timedelta(days=1)
    used = TariffUse(
        concurrent_projects=row["concurrent_projects"],
        messages_today=row["messages_today"],
        resets_at=datetime.combine(tomorrow, time(), UTC),
    )
    return CurrentTariff.model_validate({**tariff, "used": used})
