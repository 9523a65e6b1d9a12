"""Runs of a repeatable project whose texts come from a template keep the approval when the template changes."""

from runtime.services import Services
from tests.approvals.made import ask, decide, plan, project
from tests.approvals.test_approvals import team
from tests.approvals.test_limits import row, run
from tests.sending_projects.engine.conftest import projects
from tests.support.people import Person
from tests.support.projects import Projects
from tests.templates.made import again, called, published, text

__all__ = ["projects", "team"]


async def test_a_new_version_of_the_template_voids_no_approval(
    ada: Person, team: dict[str, Person], projects: Projects, services: Services
):
    made = await published(ada, "weekly", text(text="Hi {{ name }}"), text("pt", text="Oi {{ name }}"))
    template = {"channel": "sms", "templateKey": "weekly", "localeFrom": "code"}
    body = {
        "name": "Weekly", "template": template, "source": {"sendingProjectUuid": await project(ada, 2)},
        "schedule": {"cron": "0 5 * * *", "timezone": "UTC"},
    }  # fmt: skip
    repeatable = (await called(ada, "POST", "/repeatable-sending-project", body))["uuid"]
    first = await run(projects, services, repeatable, 1)
    planned = await plan(ada, first)
    assert planned["document"]["languages"] == {"en": 2, "pt": 0}
    approval = await ask(team["editor"], first, planned["hash"])
    assert (await decide(team["approver"], approval, planned["hash"])).status_code == 200
    await again(ada, made["templateId"], text(text="Other"))
    second = await run(projects, services, repeatable, 2)
    assert (await row(services, second))["status"] != "draft"
    changed = {"template": {**template, "localeFrom": None}}
    await called(ada, "PATCH", f"/repeatable-sending-project/{repeatable}", changed)
    third = await run(projects, services, repeatable, 3)
    assert (await row(services, third))["status"] == "draft"
