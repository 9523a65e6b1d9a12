"""No N+1 along messenger accounts, files and what a user has: see test_statements.py."""

from typing import Any

import pytest

from runtime.services import Services
from tests.connections.conftest import Rows
from tests.connections.test_statements import FEW, MANY, counted
from tests.support.people import Person

DEEP = 3
"""This is the length of the lists inside lists: the deepest query must stay below the bound on what may be asked for.
"""

QUERIES = {
    "messengers": """query($n:Int){ messengerAccounts(first:$n, orderBy:{field:name}) { totalCount nodes {
      login state step { value } next me { messengerId } proxy owner { email }
      webhooks(first:3) { totalCount nodes { events waiting dead account { state }
        deadLetters(first:3) { totalCount nodes { type body webhook { url account { state } } } } } }
      chats(first:3) { totalCount nodes { name unread account { login state }
        messages(first:3) { totalCount nodes { text from content { src } account { login } chat { name } } } } }
      configs(first:3) { totalCount nodes { name config source login account { login } } }
      sourceAccounts(first:3) { totalCount nodes { login messengerAccount { state } owner { email } } } } } }""",
    "files": """query($n:Int){ files(first:$n, orderBy:{field:size}) { totalCount nodes { name url owner { email }
      imports(first:3) { totalCount nodes { status owner { email } file { name }
        rows(first:3, where:{valid:{eq:true}}) { totalCount nodes { line recipient { address } } } } }
      exports(first:3) { totalCount nodes { status url file { name } owner { email }
        sendingProject { name } } } } } }""",
    "lists": """query($n:Int){ sourceAccounts(first:$n) { nodes { login messengerAccount { login } } }
      blockedPhones(first:$n) { nodes { phone owner { blockedPhones(first:3) { totalCount } } } }
      recipientImports(first:$n) { nodes { file { name } } } exportLinks(first:$n) { nodes { url file { name } } } }""",
    "users": """query($n:Int){ accounts(first:$n) { nodes { owner { email settings
      messages(first:3) { totalCount nodes { body owner { email } } } files(first:3) { nodes { url } }
      messengerAccounts(first:3) { totalCount nodes { state } } sourceAccounts(first:3) { nodes { login } }
      recipientImports(first:3) { nodes { status } } exportLinks(first:3) { nodes { url } }
      blockedPhones(first:3) { nodes { phone } } apiTokens { nodes { name } } hookSecrets { nodes { kind } } }
      ledger(first:3) { nodes { amount account { name } creator { email } } } } } }""",
}


@pytest.fixture
async def world(ada: Person, rows: Rows, services: Services) -> Person:
    """Ada with more of everything than the larger page shows."""
    for number in range(MANY + 2):
        await rows.messenger(ada, f"m{number:02}", DEEP)
        await rows.file(ada, f"f{number:02}", DEEP)
        await rows.block(ada, f"+1415555{number:04}")
        await ada.rest("POST", "/accounts", json={"name": f"a{number}"})
    await services.db.fetch(
        "INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
        " SELECT gen_random_uuid(), id, 'credit', 1, gen_random_uuid() FROM accounts"
    )
    await ada.data('mutation{createApiToken(input:{name:"t"}){token}}')
    await ada.data("mutation{createHookKey{secret}}")
    return ada


@pytest.mark.parametrize("plans", [True, False], ids=["fast", "graphql-core"])
async def test_a_longer_page_costs_no_more_statements(
    world: Person, services: Services, plans: bool, subtests: Any
) -> None:
    services.settings.graphql_plans = plans
    for name, query in QUERIES.items():
        with subtests.test(name):
            numbers: dict[int, list[str]] = {}
            for size in (FEW, MANY):
                await world.data(query, {"n": size})  # the counters of the first time
                with counted(services) as statements:
                    data = await world.data(query, {"n": size})
                # The process reads the routes each second, whatever is asked meanwhile.
                numbers[size] = [
                    sql
                    for sql in statements
                    if not sql.endswith("FROM routes)") and "FROM brand_domains" not in sql
                ]
                assert all(len(part["nodes"]) == size for part in data.values())
            more = [sql for sql in numbers[MANY] if sql not in numbers[FEW]]
            assert len(numbers[MANY]) == len(numbers[FEW]), more
            assert 0 < len(numbers[MANY]) <= 45


async def test_what_is_not_asked_for_is_not_read(world: Person, services: Services) -> None:
    """Secrets and large columns of tables are read only if they are asked for."""
    services.settings.graphql_plans = True
    for query, never in (
        ("{messengerAccounts{nodes{name}}}", ("_encrypted", "cursor", "messenger_holds")),
        ("{messengerAccounts{nodes{webhooks{nodes{url}}}}}", ("_encrypted", "session", "messenger_holds")),
        ("{messengerAccounts(first:2){nodes{chats{nodes{messages{nodes{text}}}}}}}", ("messages.content",)),
        ("{sourceAccounts{nodes{login}}}", ("token_encrypted", "token_hash")),
        ("{me{apiTokens{nodes{name}} hookSecrets{nodes{kind}}}}", ("token_hash", "hook_secrets.value")),
        ("{messengerAccounts(first:2){nodes{webhooks{nodes{deadLetters{nodes{uuid}}}}}}}", ("events.body",)),
    ):
        with counted(services) as statements:
            await world.data(query)
        for sql in statements:
            if "FROM users" not in sql:
                assert not [word for word in never if word in sql], (query, sql)
