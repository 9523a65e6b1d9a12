"""A client of the REST door that `openapi-python-client` made: `python openapi_client.py URL`, TOKEN in the
environment.
"""

import importlib
import os
import pkgutil
import sys

import postern_client
from postern_client import AuthenticatedClient
from postern_client.api.accounts import accounts_list
from postern_client.api.messages import messages_get, messages_list, messages_send
from postern_client.models import ErrorEnvelope, MessageChannel, MessageStatus, SendMessage

for module in pkgutil.walk_packages(postern_client.__path__, "postern_client."):
    importlib.import_module(module.name)

with AuthenticatedClient(base_url=sys.argv[1], token=os.environ["TOKEN"]) as client:
    accounts = accounts_list.sync(client=client)
    account = accounts.items[0]
    wanted = SendMessage(
        account_id=account.id, channel=MessageChannel.EMAIL, to="typed@example.com", body="hello"
    )
    sent = messages_send.sync_detailed(client=client, body=wanted, idempotency_key="typed")
    assert sent.status_code == 202, sent
    again = messages_send.sync_detailed(client=client, body=wanted, idempotency_key="typed")
    assert again.parsed.id == sent.parsed.id
    assert again.headers["idempotent-replayed"] == "true"
    assert sent.parsed.status is MessageStatus.QUEUED
    message = messages_get.sync(sent.parsed.id, client=client)
    assert message == sent.parsed, (message, sent.parsed)
    page = messages_list.sync(client=client, limit=3)
    assert len(page.items) == 3
    assert page.meta.total_pages > 1
    missing = messages_get.sync(account.id, client=client)
    assert isinstance(missing, ErrorEnvelope), missing
    assert (missing.status_code, missing.code) == (404, "message_not_found")
print(sent.parsed.id)
