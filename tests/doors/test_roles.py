"""Every operation through both doors, as a member of each role: granted nothing beyond it, refused nothing within."""

from http import HTTPStatus

import pytest

from engine.messengers.host import hosting
from runtime.operation import OPERATIONS
from runtime.permissions import MEMBER_ROLES, PROFILE, Permission
from shapes.members import MemberRole
from tests.doors.matrix import MATRIX
from tests.doors.test_matrix import Doors, code_of, make_world
from tests.members.made import joined
from tests.support.people import People, Person

pytestmark = pytest.mark.rotating


@pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)
@pytest.mark.parametrize("role", MemberRole)
async def test_a_role_gives_what_it_names(
    role: MemberRole, services, people: People, admin: Person, subtests
):
    world = await make_world(people, admin)
    async with hosting(services):
        member, _ = await joined(world.ada, world.bob, role.value)
        for name, case in MATRIX.items():
            needed = OPERATIONS[name].permission
            if needed is Permission.public or needed in PROFILE:
                continue
            with subtests.test(name):
                doors = Doors(people.client, case, world.rows, member.token, world.ada.id)
                for denied in [await _denied_by_rest(doors), await _denied_by_graphql(doors)]:
                    if denied is None:
                        continue  # there is no such door
                    if needed in MEMBER_ROLES[role]:
                        assert needed.value not in denied
                    else:
                        assert denied  # what leads to the row may need another permission, too


async def _denied_by_rest(doors: Doors) -> set[str] | None:
    """Returns the permissions that were lacking. The vendor's form of an error names none."""
    answer = await doors.rest()
    if answer is None:
        return None
    if answer.status_code != HTTPStatus.FORBIDDEN or code_of(answer) != "forbidden":
        return set()
    return {answer.json().get("details", {}).get("permission", OPERATIONS[_name(doors)].permission.value)}


async def _denied_by_graphql(doors: Doors) -> set[str] | None:
    answer = await doors.graphql()
    if answer is None:
        return None
    errors = [error["extensions"] for error in answer.get("errors") or ()]
    return {error["details"]["permission"] for error in errors if error["code"] == "forbidden"}


def _name(doors: Doors) -> str:
    return next(name for name, case in MATRIX.items() if case is doors.case)
