"""blocks: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "blocks.list": Case("own", Rest("GET", "/block/list"), "{blockedPhones{items{uuid phone}}}"),
    "blocks.count": Case("own", Rest("GET", "/block/count"), "{blockedPhoneCount{count}}"),
    "blocks.block": Case(
        "own", Rest("POST", "/block/+14155550123", {}), 'mutation{blockPhone(phone:"+14155550123"){uuid}}'
    ),
    "blocks.unblock": Case(
        "own",
        Rest("POST", "/block/unblock/+14155550123", status=204),
        'mutation{unblockPhone(phone:"+14155550123")}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    await ada.rest("POST", "/block/ada's%20secret@example.com")
    await ada.rest("POST", "/block/+14155550124")
    return {}
