"""Templates as tests need them: made and published through REST."""

from typing import Any

from tests.support.people import Person


async def called(person: Person, method: str, path: str, body: Any = None) -> Any:
    """Calls a route, which must not refuse it."""
    answer = await person.rest(method, path, json=body)
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


async def refused(person: Person, method: str, path: str, body: Any = None) -> tuple[int, str]:
    """Calls a route that refuses it. Returns the status and the code."""
    answer = await person.rest(method, path, json=body)
    assert answer.status_code >= 400, answer.text
    return answer.status_code, answer.json()["code"]


async def template(person: Person, key: str, **fields: Any) -> str:
    """Makes a template. Returns its id."""
    made = await called(person, "POST", "/templates", {"key": key, "name": key, **fields})
    return str(made["id"])


def text(locale: str = "en", **parts: Any) -> dict[str, Any]:
    return {"locale": locale, **parts}


async def draft(person: Person, id: str, *texts: dict[str, Any], **fields: Any) -> str:
    """Saves a draft. Returns its id."""
    made = await called(person, "POST", f"/templates/{id}/versions", {"texts": [*texts], **fields})
    return str(made["id"])


async def published(person: Person, key: str, *texts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Makes a template, saves a version of it and publishes that. Returns the version."""
    version = await draft(person, await template(person, key), *texts, **fields)
    made: dict[str, Any] = await called(person, "POST", f"/template-versions/{version}/publish")
    return made


async def again(person: Person, id: str, *texts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Publishes another version of a template."""
    version = await draft(person, id, *texts, **fields)
    made: dict[str, Any] = await called(person, "POST", f"/template-versions/{version}/publish")
    return made
