"""The cases of blocks, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "blocks.list": Case("own", Rest("GET", "/block/list"), None, why=CONNECTION),
    "blocks.page": Case("own", None, "{blockedPhones{nodes{uuid phone owner{email}}}}", why=CONNECTION),
    "blocks.of_users": Case("own", None, "{me{blockedPhones{nodes{uuid phone}}}}", why=RELATION),
    "blocks.get": Case(
        "row",
        Rest("GET", "/block/info/{blocked_phone}"),
        "query($id:ID!){blockedPhone(id:$id){uuid phone}}",
        {"id": "{blocked_phone}"},
    ),
    "blocks.count": Case("own", Rest("GET", "/block/count"), "{blockedPhoneCount{count}}"),
    "blocks.block": Case(
        "own", Rest("POST", "/block/+14155550123", {}), 'mutation{blockPhone(phone:"+14155550123"){uuid}}'
    ),
    "blocks.block_many": Case(
        "own",
        Rest("POST", "/block/add/multiple", {"phones": ["+14155550123"]}),
        'mutation{blockPhones(input:{phones:["+14155550123"]}){added changed unchanged nextLine}}',
    ),
    "blocks.unblock_many": Case(
        "own",
        Rest("POST", "/block/remove/multiple", {"phones": ["+14155550124"]}),
        'mutation{unblockPhones(input:{phones:["+14155550123"]}){removed}}',
    ),
    "blocks.unblock": Case(
        "own",
        Rest("POST", "/block/unblock/+14155550124", status=204),
        'mutation{unblockPhone(phone:"+14155550123")}',
    ),
    "blocks.summary": Case(
        "own", Rest("GET", "/block/summary"), "{blockedPhoneSummary{items{reason scope count newestAt}}}"
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    await ada.rest("POST", "/block/ada's%20secret@example.com")
    return {"blocked_phone": (await ada.rest("POST", "/block/+14155550124")).json()["uuid"]}
