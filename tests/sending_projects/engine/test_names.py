"""A recipient without a name may have a variable `name`, which texts show as it is."""

from typing import Any

from channels.sandbox import box
from tests.support.people import Person
from tests.support.projects import Projects

PEOPLE: list[str | dict[str, Any]] = [
    {"address": "a@example.com", "variables": {"name": "Anna"}},
    {"address": "b@example.com", "name": "Boris", "variables": {"name": "hidden"}},
    {"address": "c@example.com"},
    {"address": "d@example.com", "name": "", "variables": {"name": None}},
]


async def test_an_empty_name_does_not_hide_the_variable(projects: Projects, ada: Person):
    box().outbox.clear()
    project = await projects.make(ada, PEOPLE, text="Dear {{ name | default: 'customer' }}")
    await projects.work()
    sent = {accepted.message.to[0]: accepted.message.body for accepted in box().outbox}
    shown = {"a": "Dear Anna", "b": "Dear Boris", "c": "Dear customer", "d": "Dear customer"}
    assert sent == shown
    answer = await ada.data(
        "query($id:String!){messageRecords(where:{sendingProjectUuid:{eq:$id}}){nodes{to body}}}",
        {"id": str(project)},
    )
    assert {node["to"][0]: node["body"] for node in answer["messageRecords"]["nodes"]} == shown
    await projects.sound(project)
