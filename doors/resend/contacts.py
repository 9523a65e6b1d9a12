"""Contacts, which Resend's clients may read here."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from core.errors import NotFound
from db.lists import PageArgs, conditions
from doors.resend import pages
from doors.resend.context import ResendContext
from resolvers import blocks, contacts
from shapes.addresses import address_key
from shapes.sending_projects import ProjectChannel

_NO_CONTACT: Final = "There is no contact with this id or email address among yours. Check it."


async def page(ctx: ResendContext) -> Any:
    """Lists the contacts that have an email address, newest first."""
    asked = pages.asked(ctx.connection.query_params, "contacts")
    listed = await contacts.page(ctx, asked, conditions({("channel", "eq"): ProjectChannel.email}))
    blocked = await _blocked(ctx, [_email(row) for row in listed.nodes])
    return pages.listed(asked, listed, lambda row: _as_contact(row, blocked))


async def get(ctx: ResendContext, id: str) -> Any:
    """Returns one contact, by its id or its email address."""
    if "@" in id:
        where = conditions({("address", "eq"): id})
        rows: Sequence[Any] = (await contacts.page(ctx, PageArgs(first=1), where)).nodes
        if not rows:
            raise NotFound(_NO_CONTACT)
        row = rows[0]
    else:
        row = await contacts.get(ctx, pages.uuid_of(id, "contact"))
    fields = _as_contact(row, await _blocked(ctx, [_email(row)]))
    properties = {key: {"type": _type(value), "value": value} for key, value in row.fields.items()}
    return {"object": "contact", **fields, "properties": properties}


def _as_contact(row: Any, blocked: Collection[str]) -> dict[str, Any]:
    first, _, last = row.name.partition(" ")
    email = _email(row)
    return {
        "id": str(row.id),
        "email": email,
        "first_name": first or None,
        "last_name": last or None,
        "created_at": pages.time(row.created_at),
        "unsubscribed": email is not None and address_key(email) in blocked,
    }


def _email(row: Any) -> str | None:
    """Returns the email address of a contact that is its first choice."""
    emails = [
        _field(each, "address") for each in row.addresses if _field(each, "channel") == ProjectChannel.email
    ]
    first = [
        _field(each, "address")
        for each in row.addresses
        if _field(each, "channel") == ProjectChannel.email and _field(each, "primary")
    ]
    return next(iter([*first, *emails]), None)


def _field(address: Any, name: str) -> Any:
    return address[name] if isinstance(address, dict) else getattr(address, name)


async def _blocked(ctx: ResendContext, emails: Sequence[str | None]) -> frozenset[str]:
    """Returns the addresses that get no promotional email."""
    asked = [email for email in emails if email is not None]
    if not asked:
        return frozenset()
    listed = await blocks.page(ctx, PageArgs(first=pages.MOST), conditions({("phone", "in_"): asked}))
    return frozenset(address_key(row.phone) for row in listed.nodes)


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "string"
