"""Both doors show the same document; keys are public, rotate with an overlap, and outlive the vault's rotation."""

from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from core.vault import Vault
from engine.reconciliations import signing_keys
from engine.reconciliations.verifying import Trust, Verified, read_keys, verify_document
from engine.secret_keys import rotate
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.reconciliations.conftest import all_words, finished
from tests.reconciliations.test_sums import again
from tests.support.people import People, Person
from tests.support.projects import Projects

_DOCUMENT = """
query($id: ID!, $number: Int) {
  sendingProjectReconciliation(id: $id, number: $number) { number state root hash keyId document signature keys }
  sendingProjectReconciliations(id: $id) { number hash previousHash }
}
"""


@pytest.fixture
async def project(projects: Projects, ada: Person) -> UUID:
    return await finished(projects, ada, all_words(2), name="Autumn <b>sale</b>")


async def test_both_doors_show_the_same(projects: Projects, ada: Person, project: UUID):
    await again(projects, project)
    path = f"/sending-project/{project}/reconciliation"
    newest = (await ada.rest("GET", path)).json()
    data = await ada.data(_DOCUMENT, {"id": str(project)})
    shown = data["sendingProjectReconciliation"]
    assert shown == {name: newest[name] for name in shown}
    assert newest["number"] == 2
    chain = (await ada.rest("GET", f"{path}s")).json()
    assert [each["number"] for each in chain] == [2, 1]
    assert chain[0]["previousHash"] == chain[1]["hash"]
    assert data["sendingProjectReconciliations"] == [
        {name: each[name] for name in ("number", "hash", "previousHash")} for each in chain
    ]
    first = (await ada.rest("GET", f"{path}?number=1")).json()
    assert first["document"]["previous"] is None
    missing = await ada.rest("GET", f"{path}?number=3")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_reconciled")


async def test_the_page_to_print(ada: Person, project: UUID):
    path = f"/sending-project/{project}/reconciliation"
    browser = {"Accept": "text/html,application/xhtml+xml"}
    for answer in (
        await ada.rest("GET", f"{path}?format=html"),
        await ada.rest("GET", path, headers=browser),
    ):
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "8 materialised = 4 sent + 0 skipped + 2 failed + 2 unknown + 0 canceled" in answer.text
        assert "Autumn &lt;b&gt;sale&lt;/b&gt;" in answer.text
        assert "<script" not in answer.text
    as_json = await ada.rest("GET", f"{path}?format=json", headers=browser)
    assert as_json.headers["content-type"].startswith("application/json")


async def test_a_signed_link_opens_the_page_without_a_credential(
    ada: Person, services: Services, project: UUID
):
    asked = "query($id:ID!){sendingProjectReconciliation(id:$id){pageUrl}}"

    async def link(person: Person) -> str:
        shown = await person.data(asked, {"id": str(project)})
        url = urlsplit(shown["sendingProjectReconciliation"]["pageUrl"])
        return f"{url.path}?{url.query}"

    page = await link(ada)
    answer = await ada.client.get(page)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "private, no-store"
    assert "Autumn &lt;b&gt;sale&lt;/b&gt;" in answer.text
    for bad in (page.replace("number=1", "number=2"), page[:-1] + ("A" if page[-1] != "A" else "B")):
        refused = await ada.client.get(bad)
        assert (refused.status_code, refused.json()["code"]) == (403, "bad_link")
    # It ends with the token that has asked for it, and with its time.
    token, id = await made(ada, scopes=["projects:read"])
    of_token = await link(caller(ada, token))
    assert (await ada.client.get(of_token)).status_code == 200
    assert (await ada.rest("DELETE", f"/api-tokens/{id}")).status_code < 300
    assert (await ada.client.get(of_token)).status_code == 403
    assert abs(int(_expires(page)) - services.db.now().timestamp() - services.settings.link_seconds) < 60
    late = (await ada.client.get(page.replace(f"expires={_expires(page)}", "expires=1"))).json()
    assert late["code"] == "bad_link"


def _expires(page: str) -> str:
    return parse_qs(urlsplit(page).query)["expires"][0]


async def test_lines_and_proofs_need_the_permission_to_see_recipients(ada: Person, project: UUID):
    made = await ada.data('mutation{createApiToken(input:{name:"x",scopes:["projects:read"]}){token}}')
    token = {"Authorization": f"Bearer {made['createApiToken']['token']}"}
    path = f"/sending-project/{project}/reconciliation"
    assert (await ada.client.get(path, headers=token)).status_code == 200
    for more in ("/lines", "/proof?address=sent.1@example.com"):
        refused = await ada.client.get(path + more, headers=token)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


async def test_another_user_sees_none(people: People, project: UUID):
    bob = await people.make()
    for more in ("", "s", "/lines", "/proof?address=sent.1@example.com"):
        answer = await bob.rest("GET", f"/sending-project/{project}/reconciliation{more}")
        assert (answer.status_code, answer.json()["code"]) == (404, "sending_project_not_found")


async def document(ada: Person, project: UUID) -> tuple[Verified, bytes]:
    keys = await ada.client.get("/.well-known/jwks.json")
    assert keys.headers["cache-control"] == "public, max-age=3600"
    answer = await ada.rest("GET", f"/sending-project/{project}/reconciliation")
    return verify_document(answer.content, Trust(read_keys(keys.content))), answer.content


async def test_keys_rotate_with_an_overlap(projects: Projects, ada: Person, project: UUID):
    services = projects.services
    before, old = await document(ada, project)
    async with services.db.transaction() as db:
        following = await signing_keys.rotate(db, services.vault, at_once=False)
    keys = read_keys((await ada.client.get("/.well-known/jwks.json")).content)
    assert {*keys} == {before.kid, following}  # published a day before it signs
    await again(projects, project)
    assert (await document(ada, project))[0].kid == before.kid
    async with services.db.reading() as db:
        await db.execute("UPDATE signing_keys SET signs_from = signs_from - interval '1 day'")
    await again(projects, project)
    assert (await document(ada, project))[0].kid == following
    keys = read_keys((await ada.client.get("/.well-known/jwks.json")).content)
    assert verify_document(old, Trust(keys)).kid == before.kid


async def test_a_rotation_of_the_vault_keeps_hashes_and_keys(projects: Projects, ada: Person, project: UUID):
    services = projects.services
    first, _ = await document(ada, project)
    lines = (await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")).content
    old = services.vault
    services.vault = Vault(b"n" * 32, *services.keys("vault"))
    await rotate(services)
    services.vault = Vault(b"n" * 32)  # the old key is gone
    services._singles.clear()
    await again(projects, project)
    second, _ = await document(ada, project)
    assert second.kid == first.kid
    newer = (await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")).content
    services.vault = old
    persons = [[line.split(b'"person":"')[1][:64] for line in each.splitlines()] for each in (lines, newer)]
    assert persons[0] == persons[1]
