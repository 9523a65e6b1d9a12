"""The letters of a project for a few of its recipients, before it is started."""

from typing import Any
from uuid import UUID

from tests.sending_projects.conftest import Projects
from tests.support.people import Person

QUERY = "query($id:ID!){sendingProjectSamples(id:$id){from messages{to subject body html missing}}}"


async def samples(person: Person, project: str) -> Any:
    made = (await person.data(QUERY, {"id": project}))["sendingProjectSamples"]
    assert (await person.rest("GET", f"/sending-project/{project}/samples")).json() == made
    return made


async def test_three_letters_one_of_which_lacks_a_field(projects: Projects, ada: Person, bob: Person):
    texts = {"subject": "Dear {{ name }}", "text": None, "html": "<p>{{ name }} of {{ city }}</p>"}
    project = await projects.make(ada, channel="email", **texts)
    assert (await samples(ada, project))["messages"] == []
    for number in range(10):
        city = {} if number == 3 else {"city": "Bern"}
        await projects.recipient(project, f"a{number}@example.com", name=f"A{number}", **city)
    seen = await samples(ada, project)
    assert [message["to"] for message in seen["messages"]] == [
        "a0@example.com",
        "a5@example.com",
        "a3@example.com",
    ]
    assert [message["missing"] for message in seen["messages"]] == [[], [], ["city"]]
    assert seen["messages"][0] == {
        "to": "a0@example.com", "subject": "Dear A0", "body": "A0 of Bern", "html": "<p>A0 of Bern</p>", "missing": [],
    }  # fmt: skip
    assert await bob.code(QUERY, {"id": project}) == "sending_project_not_found"


async def test_the_sender_is_named(projects: Projects, ada: Person):
    project = await projects.make(ada, channel="email", subject="S", text="T")
    own = "News <news@example.com>"
    await projects.execute("UPDATE sending_projects SET from_address = $2 WHERE id = $1", UUID(project), own)
    assert (await samples(ada, project))["from"] == own
