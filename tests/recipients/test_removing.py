"""Recipients are found by a text, and removed by a text or by the import that brought them."""

from uuid import UUID

import pytest

from engine import imports
from engine.imports import bulk_add
from resolvers.recipients import recipient_addition, recipient_removal
from tests.recipients.test_recipients import A, B, C, add, imported, project
from tests.support.people import Person

FIND = """query($id:ID!, $text:String!) {
  recipients(sendingProjectId:$id, where:{text:{contains:$text}}) { nodes { address } totalCount } }"""
REMOVE = """mutation($id:ID!, $input:RemoveRecipients!) {
  removeRecipients(sendingProjectId:$id, input:$input) { removed withMessage more } }"""


async def addresses(person: Person, id: str, text: str = "") -> list[str]:
    page = (await person.data(FIND, {"id": id, "text": text}))["recipients"]
    assert page["totalCount"] == len(page["nodes"])
    return [node["address"] for node in page["nodes"]]


async def remove(person: Person, id: str, **input: str) -> dict[str, object]:
    answer = await person.data(REMOVE, {"id": id, "input": input})
    removed: dict[str, object] = answer["removeRecipients"]
    return removed


async def test_a_text_finds_a_part_of_the_address_and_of_the_name(ada):
    id = await project(ada)
    await add(
        ada, id, recipients=[{"phone": A, "name": "Anna 100%"}, {"phone": B, "name": "Boris"}, {"phone": C}]
    )
    assert await addresses(ada, id, "ANNA") == [A]
    assert await addresses(ada, id, "550101") == [B]
    assert await addresses(ada, id, "0%") == [A]
    assert await addresses(ada, id, "_") == []


async def test_those_found_by_a_text_are_removed(ada):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A, "name": "Anna"}, {"phone": B, "name": "Anna"}, {"phone": C}])
    assert await remove(ada, id, text="anna") == {"removed": 2, "withMessage": 0, "more": False}
    assert await addresses(ada, id) == [C]


async def test_a_list_is_taken_back(ada, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": C}])
    made = await imported(ada, services, f"{A}\n{B}\nnonsense")
    await add(ada, id, importUuid=made)
    assert await remove(ada, id, importUuid=made) == {"removed": 2, "withMessage": 0, "more": False}
    assert await addresses(ada, id) == [C]


async def test_one_request_removes_a_bounded_number(ada, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recipient_removal, "REMOVED", 2)
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": phone} for phone in (A, B, C)])
    assert await remove(ada, id, text="+1415") == {"removed": 2, "withMessage": 0, "more": True}
    assert await remove(ada, id, text="+1415") == {"removed": 1, "withMessage": 0, "more": False}


async def test_those_with_a_message_stay(ada, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}, {"phone": B}])
    await services.db.fetchval(
        "UPDATE sending_projects SET status = 'stopped', prepared_to ="
        " (SELECT min(seq) FROM recipients WHERE project_id = $1) WHERE id = $1",
        UUID(id),
    )
    assert await remove(ada, id, text="+1415") == {"removed": 1, "withMessage": 1, "more": False}
    assert await addresses(ada, id) == [A]


@pytest.mark.parametrize(
    ("status", "code"),
    [("running", "not_editable"), ("finished", "not_editable"), ("scheduled", "last_recipient")],
)
async def test_states_that_forbid_it(ada, services, status: str, code: str):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}])
    await services.db.fetchval("UPDATE sending_projects SET status = $2 WHERE id = $1", UUID(id), status)
    assert await ada.code(REMOVE, {"id": id, "input": {"text": "+1415"}}) == code
    assert await addresses(ada, id) == [A]


async def test_an_import_of_somebody_else_removes_nothing(ada, bob, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}])
    made = await imported(bob, services, A)
    assert await ada.code(REMOVE, {"id": id, "input": {"importUuid": made}}) == "import_not_found"
    assert await ada.code(REMOVE, {"id": id, "input": {}}) == "validation_failed"
    assert await addresses(ada, id) == [A]


async def test_a_list_is_taken_back_in_ranges_of_its_lines(ada, services, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(imports.jobs, "BITE", 2)
    monkeypatch.setattr(recipient_removal, "REMOVED", 3)
    phones = [f"+1415555{number:04}" for number in range(100, 107)]
    id = await project(ada)
    made = await imported(ada, services, "\n".join([*phones[:3], "nonsense", *phones[3:]]))
    await add(ada, id, importUuid=made)
    await services.db.fetchval(
        "UPDATE sending_projects SET status = 'stopped', prepared_to ="
        " (SELECT min(seq) FROM recipients WHERE project_id = $1) WHERE id = $1",
        UUID(id),
    )
    assert await remove(ada, id, importUuid=made) == {"removed": 3, "withMessage": 0, "more": True}
    assert await addresses(ada, id) == [phones[0], *phones[4:]]
    assert await remove(ada, id, importUuid=made) == {"removed": 3, "withMessage": 0, "more": True}
    assert await remove(ada, id, importUuid=made) == {"removed": 0, "withMessage": 1, "more": False}
    assert await addresses(ada, id) == [phones[0]]


async def test_an_address_that_was_added_before_the_list_is_removed_with_it(ada, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}])
    made = await imported(ada, services, f"{A}\n{B}")
    await add(ada, id, importUuid=made)
    assert await remove(ada, id, importUuid=made) == {"removed": 2, "withMessage": 0, "more": False}


async def test_those_with_a_message_are_counted_up_to_a_bound(ada, services, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recipient_removal, "COUNTED", 2)
    id = await project(ada)
    made = await imported(ada, services, f"{A}\n{B}\n{C}")
    await add(ada, id, importUuid=made)
    await services.db.fetchval(
        "UPDATE sending_projects SET status = 'stopped', prepared_to ="
        " (SELECT max(seq) FROM recipients WHERE project_id = $1) WHERE id = $1",
        UUID(id),
    )
    assert await remove(ada, id, text="+1415") == {"removed": 0, "withMessage": 2, "more": False}
    assert await remove(ada, id, importUuid=made) == {"removed": 0, "withMessage": 2, "more": False}


async def test_a_list_that_is_still_being_added_is_not_taken_back(
    ada, services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(imports.jobs, "BITE", 2)
    monkeypatch.setattr(recipient_addition, "_ADDING_SECONDS", 0)
    id, other = await project(ada), await project(ada)
    made, added = await imported(ada, services, f"{A}\n{B}\n+14155550999"), await imported(ada, services, C)
    await add(ada, id, importUuid=added)
    assert (await add(ada, id, importUuid=made)).json()["pending"]
    assert await ada.code(REMOVE, {"id": id, "input": {"importUuid": made}}) == "import_in_use"
    assert await addresses(ada, id) == [C, A, B]
    # Another import, and the same one in another project, are not affected.
    assert (await remove(ada, id, importUuid=added))["removed"] == 1
    assert (await remove(ada, other, importUuid=made))["removed"] == 0
    (row,) = await services.db.fetch("SELECT id FROM recipient_additions")
    while await services.db.fetch("SELECT FROM recipient_additions"):
        await bulk_add.add(services, row["id"])
    assert (await remove(ada, id, importUuid=made))["removed"] == 3
    assert await addresses(ada, id) == []
