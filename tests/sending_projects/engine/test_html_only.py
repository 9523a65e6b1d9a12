"""A project whose email has HTML alone sends the text that is made from it, and shows it afterwards."""

import pytest

from channels.sandbox import box
from engine.texts.plain_part import text_of
from runtime.render_pool import RenderPool, TooComplex
from tests.support.people import Person
from tests.support.projects import Projects

PLAIN = "<h1>Hello {{ name }}</h1><p>Read <a href='https://example.com'>more</a></p>"
LOGIC = PLAIN.replace("{{ name }}", "{{ name | upcase }}")
QUERY = "query($p:UUID!){sendingProject(uuid:$p){messageRecords{edges{node{text}}}}}"


@pytest.mark.parametrize(("html", "hello"), [(PLAIN, "Ada"), (LOGIC, "ADA")])
async def test_the_text_is_sent(projects: Projects, ada: Person, html: str, hello: str):
    box().outbox.clear()
    people = [{"address": "a@example.com", "name": "Ada"}]
    project = await projects.make(ada, people, text=None, subject="S", html=html)
    await projects.work()
    (sent,) = box().outbox
    assert sent.message.body == f"Hello {hello}\n\nRead more (https://example.com)"
    assert sent.message.html.startswith(f"<h1>Hello {hello}</h1>")
    await projects.sound(project)


async def test_html_that_takes_too_long_to_read_is_sent_without(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    run = RenderPool.run

    async def slow(self: RenderPool, owner: object, task: str, *arguments: object, **more: object) -> object:
        if task == "with_text":
            raise TooComplex
        return await run(self, owner, task, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(RenderPool, "run", slow)
    box().outbox.clear()
    await projects.make(ada, ["a@example.com"], text=None, subject="S", html=PLAIN)
    await projects.work()
    (sent,) = box().outbox
    assert sent.message.html.startswith("<h1>")


def test_no_text_is_made_of_what_cannot_be_parsed():
    assert text_of("<p>{{ 'a' | nope }}</p>") == ""
