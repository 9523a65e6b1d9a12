"""Makes members."""

from typing import Any

from tests.support.people import Person

INVITE = "mutation($i:NewMember!){inviteMember(input:$i){token member{uuid}}}"


async def invited(owner: Person, member: Person, role: str, **values: Any) -> tuple[str, str]:
    """Returns the id of an invitation, and its token."""
    made = await owner.data(INVITE, {"i": {"email": member.email, "role": role, **values}})
    return made["inviteMember"]["member"]["uuid"], made["inviteMember"]["token"]


async def joined(owner: Person, member: Person, role: str, **values: Any) -> tuple[Person, str]:
    """Returns the member as one who acts for the owner, and the member's id in the owner's list."""
    id, token = await invited(owner, member, role, **values)
    answer = await member.rest("POST", "/memberships/accept", json={"token": token})
    assert answer.status_code == 200, answer.text
    return acting(member, owner), id


def acting(member: Person, owner: Person) -> Person:
    """Returns a person whose requests are for an owner."""
    return Person(member.id, member.email, owner.account_id, member.token, member.client, owner.id)
