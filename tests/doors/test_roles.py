"""Every operation through both doors, as a member of each role: granted nothing beyond it, refused nothing within."""

import pytest

from engine.messengers.host import hosting
from runtime.operation import OPERATIONS
from runtime.permissions import MEMBER_ROLES, PROFILE, Permission
from shapes.members import MemberRole
from tests.doors.matrix import MATRIX
from tests.doors.test_matrix import Doors, code_of, make_world
from tests.members.made import joined
from tests.support.people import People, Person


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
                codes = set()
                if (rest := await doors.rest()) is not None:
                    codes.add(code_of(rest) if rest.status_code == 403 else "")
                if (graphql := await doors.graphql()) is not None:
                    first = (graphql.get("errors") or [{}])[0].get("extensions", {})
                    codes.add("forbidden" if first.get("details", {}).get("permission") == needed else "")
                assert codes == ({""} if needed in MEMBER_ROLES[role] else {"forbidden"})
