"""Tests who may call a user's hooks: signatures, tokens and keys; all other callers get the same 401."""

import base64
import time
from typing import Any
from uuid import uuid4

import orjson
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from core import logs, webhook_signatures
from tests.events.hooks import KEY, ROTATE, key, post, secret, signed

EVENT = orjson.dumps({"event": "delivery", "providerMessageId": "SM1", "status": "sent"})


async def test_a_signature_is_enough(ada: Any) -> None:
    mine = await secret(ada)
    answer = await post(ada, EVENT, signed(mine, EVENT))
    assert (answer.status_code, answer.json()) == (202, {"accepted": 0, "duplicates": 0, "unknown": 1})


@pytest.mark.parametrize(
    ("seconds", "status"), [(-150, 202), (150, 202), (-310, 401), (450, 401), (10**9, 401)]
)
async def test_neither_old_nor_from_the_future(seconds: int, status: int, ada: Any) -> None:
    mine = await secret(ada)
    assert (await post(ada, EVENT, signed(mine, EVENT, at=time.time() + seconds))).status_code == status


@pytest.mark.parametrize(("seconds", "fits"), [(-301, False), (-300, True), (300, True), (301, False)])
def test_the_tolerance_to_the_second(seconds: int, fits: bool) -> None:
    mine = webhook_signatures.new_secret()
    headers = signed(mine, EVENT, at=1_790_000_000, id="m1")
    verified = webhook_signatures.verify([mine], headers, EVENT, 300, now=1_790_000_000 + seconds)
    assert verified == ("m1" if fits else None)


def test_what_we_sign_is_verified_by_us_and_by_the_reference() -> None:
    """With the keys of two secrets, as after a rotation, either secret verifies; another one does not."""
    first, second, other = (webhook_signatures.new_secret() for _ in range(3))
    id, at = uuid4(), int(time.time())
    headers = webhook_signatures.sign(
        [webhook_signatures.key_of(first), webhook_signatures.key_of(second)], id, EVENT, at
    )
    for mine in (first, second):
        Webhook(mine).verify(EVENT, headers)
        assert webhook_signatures.verify([mine], headers, EVENT, 300, now=at) == str(id)
    assert webhook_signatures.verify([other], headers, EVENT, 300, now=at) is None
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(EVENT, headers)


@pytest.mark.parametrize("size", [23, 24, 64, 65])
def test_the_size_of_a_secret(size: int) -> None:
    made = webhook_signatures.PREFIX + base64.b64encode(b"k" * size).decode()
    if 24 <= size <= 64:
        assert webhook_signatures.key_of(made) == b"k" * size
        made = made.removeprefix(webhook_signatures.PREFIX)  # without its prefix it is no secret
    with pytest.raises(webhook_signatures.BadSecret):
        webhook_signatures.key_of(made)


async def test_two_secrets_are_valid_at_once(ada: Any) -> None:
    first, second = await secret(ada), await secret(ada)
    for own_secret in (first, second):
        assert (await post(ada, EVENT, signed(own_secret, EVENT))).status_code == 202
    third = await secret(ada)
    statuses = [
        (await post(ada, EVENT, signed(secret, EVENT))).status_code for secret in (first, second, third)
    ]
    assert statuses == [401, 202, 202]
    shown = (await ada.data("{hookSecrets{nodes{kind hint revokedAt}}}"))["hookSecrets"]["nodes"]
    assert [row["revokedAt"] is None for row in shown] == [True, True, False]
    assert shown[0]["hint"] == third.rstrip("=")[-4:]


async def test_several_signatures_of_which_one_is_ours(ada: Any) -> None:
    """An engine that rotates signs with both."""
    mine, other = await secret(ada), webhook_signatures.new_secret()
    headers = signed(mine, EVENT, id="m1")
    wrong = signed(other, EVENT, id="m1")["webhook-signature"]
    both = {**headers, "webhook-signature": f"v1a,abc {wrong} {headers['webhook-signature']}"}
    assert (await post(ada, EVENT, both)).status_code == 202


async def test_what_is_not_quite_signed(ada: Any, bob: Any) -> None:
    mine = await secret(ada)
    good = signed(mine, EVENT)
    signature = good["webhook-signature"]
    wrong = [
        {},
        {**good, "webhook-id": "other"},
        {**good, "webhook-id": ""},
        {**good, "webhook-timestamp": str(int(good["webhook-timestamp"]) + 1)},
        {**good, "webhook-timestamp": good["webhook-timestamp"] + ".0"},
        {**good, "webhook-timestamp": "nan"},
        {**good, "webhook-timestamp": "9" * 400},
        {**good, "webhook-signature": ""},
        {**good, "webhook-signature": "v1"},
        {**good, "webhook-signature": "v1,%%%"},
        {**good, "webhook-signature": signature.replace("v1,", "v2,")},
        {**good, "webhook-signature": f"v1,{signature[3:].swapcase()}"},
        {**good, "webhook-signature": " ".join(["v1,AAAA"] * 16 + [signature])},
        signed(webhook_signatures.new_secret(), EVENT),
        signed(await secret(bob), EVENT),
        {"authorization": "Bearer x.y.z"},
        bob.headers,
    ]
    messages = set()
    for headers in wrong:
        answer = await post(ada, EVENT, headers)
        assert answer.status_code == 401, headers
        messages.add(answer.json()["message"])
    assert (await post(ada, EVENT + b" ", good)).status_code == 401
    # A user who does not exist is told in the same words.
    nobody = await post(ada, EVENT, good, f"/delivery-hook/{uuid4()}")
    assert messages == {nobody.json()["message"]}
    assert (await post(ada, EVENT, good)).status_code == 202


async def test_a_token_or_a_key_will_do(ada: Any, bob: Any) -> None:
    assert (await post(ada, EVENT)).status_code == 202
    token = (await ada.data('mutation{createApiToken(input:{name:"engine"}){token}}'))["createApiToken"][
        "token"
    ]
    assert (await post(ada, EVENT, {"authorization": f"Bearer {token}"})).status_code == 202
    mine, path = await key(ada), f"/delivery-hook/{ada.id}?utm=1&key="
    assert (await post(ada, EVENT, {}, path + mine)).status_code == 202
    for wrong in ("", "x", mine[:-1], await key(bob), "x" * 256):
        assert (await post(ada, EVENT, {}, path + wrong)).status_code == 401
    assert (await post(ada, EVENT, {}, path + "x" * 257)).status_code == 400


async def test_what_is_revoked_is_refused(ada: Any, bob: Any, admin: Any) -> None:
    revoke = "mutation($i:ID!){revokeHookSecret(id:$i){revokedAt}}"
    made = (await ada.data(ROTATE))["rotateHookSecret"]
    keyed = (await ada.data(KEY))["createHookKey"]
    for answer in (made, keyed):
        assert await bob.code(revoke, {"i": answer["hookSecret"]["uuid"]}) == "hook_secret_not_found"
        await ada.data(revoke, {"i": answer["hookSecret"]["uuid"]})
    assert (await post(ada, EVENT, signed(made["secret"], EVENT))).status_code == 401
    assert (await post(ada, EVENT, {}, f"/delivery-hook/{ada.id}?key={keyed['secret']}")).status_code == 401
    # A suspended user's engines are suspended with the user.
    mine, again = await secret(ada), await key(ada)
    await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(ada.id)})
    assert (await post(ada, EVENT, signed(mine, EVENT))).status_code == 401
    assert (await post(ada, EVENT, {}, f"/delivery-hook/{ada.id}?key={again}")).status_code == 401
    assert (await post(ada, EVENT)).status_code == 401


async def test_keys_are_bounded_and_nothing_is_shown_twice(ada: Any, services: Any) -> None:
    made = [await key(ada) for _ in range(10)]
    assert await ada.code(KEY) == "too_many_hook_keys"
    mine = await secret(ada)
    listed = str(await ada.data("{hookSecrets{nodes{uuid kind hint createdAt}}}"))
    stored = await services.db.fetch("SELECT value FROM hook_secrets")
    for answer in (*made, mine):
        assert answer not in listed
        assert all(answer.encode() not in row["value"] for row in stored)
    assert services.vault is not None


@pytest.mark.parametrize("form", ["json", "pretty"])
async def test_neither_key_nor_secret_nor_body_is_logged(form: Any, ada: Any, capsys: Any) -> None:
    logs.configure("debug", form)
    try:
        mine, keyed = await secret(ada), await key(ada)
        body = orjson.dumps({"event": "reply", "from": "+14155550123", "text": "the quick brown fox"})
        headers = signed(mine, body)
        for path in ("/delivery-hook/", "/delivery-hook/x", "/webhook/user-channel/"):
            await post(ada, body, {}, f"{path}{ada.id}?key={keyed}")
        await post(ada, body, headers)
        await post(ada, b"{", {}, f"/webhook/user-channel?a=1&key={keyed}")
        await post(ada, b"{", {}, f"/delivery-hook/{ada.id}?a=1&key={keyed}")
        await post(ada, body, {}, f"/delivery-hook/{ada.id}?key={keyed}x")
        printed = capsys.readouterr()
    finally:
        logs.configure("info", "json")
    for hidden in (mine, keyed, "quick brown", "+14155550123", headers["webhook-signature"][3:]):
        assert hidden not in printed.err + printed.out
    assert "/delivery-hook/" in printed.err
