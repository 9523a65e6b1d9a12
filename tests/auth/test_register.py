"""Registration: contract §1."""

import asyncio
import unicodedata
from decimal import Decimal

import pytest

from tests.auth.doors import BOTH
from tests.support.people import PASSWORD

NEW = {"email": "grace@example.com", "password": PASSWORD}


async def test_a_new_user_is_active_and_has_an_account(auth):
    for door in BOTH:
        email = f"{door}@example.com"
        done = await auth.call(
            door,
            "register",
            {"email": email, "password": PASSWORD, "displayName": "Grace", "locale": "en-GB"},
        )
        assert done.code is None, done.message
        shown = {("id" if name == "uuid" else name): value for name, value in done.data.items()}
        assert set(shown) == {
            "id", "email", "displayName", "status", "roles", "locale", "selfService", "createdAt", "updatedAt",
        }  # fmt: skip
        assert (shown["email"], shown["displayName"], shown["status"], shown["roles"]) == (
            email, "Grace", "active", ["user"],
        )  # fmt: skip
        if door == "rest":
            assert done.answer.status_code == 201
        access, _ = await auth.tokens(email)
        accounts = await auth.client.get("/accounts", headers={"Authorization": f"Bearer {access}"})
        (account,) = accounts.json()["items"]
        assert account["ownerId"] == shown["id"]
        assert (account["balance"], account["currency"], account["plan"]) == (0, "USD", "free")


@pytest.mark.settings(signup_credit="2.5")
async def test_the_signup_credit_is_an_entry_of_the_ledger(auth, services):
    assert (await auth.call("rest", "register", NEW)).code is None
    entries = await services.db.fetch("SELECT kind, amount, note FROM ledger_entries")
    assert [tuple(entry) for entry in entries] == [("credit", Decimal("2.5"), "signup credit")]
    assert await services.db.fetchval("SELECT balance FROM accounts") == Decimal("2.5")


async def test_one_mailbox_is_one_user_however_it_is_written(auth, services):
    composed = "jos\u00e9@example.com"
    assert (await auth.call("rest", "register", NEW)).answer.status_code == 201
    assert (await auth.call("rest", "register", {**NEW, "email": composed})).answer.status_code == 201
    for door in BOTH:
        for again in (
            "grace@example.com",
            "GRACE@example.com",
            "Grace@EXAMPLE.Com",
            unicodedata.normalize("NFD", composed),
            composed.upper(),
        ):
            refused = await auth.call(door, "register", {**NEW, "email": again})
            assert refused.code == "email_taken", again
            assert door == "graphql" or refused.answer.status_code == 409
    assert await services.db.fetchval("SELECT count(*) FROM users") == 2
    assert await services.db.fetchval("SELECT count(*) FROM accounts") == 2


async def test_fifty_parallel_registrations_of_one_email_make_one_user(auth, services):
    emails = ["grace@example.com", "Grace@example.com", "GRACE@EXAMPLE.COM"]
    done = await asyncio.gather(
        *(auth.call(BOTH[turn % 2], "register", {**NEW, "email": emails[turn % 3]}) for turn in range(50))
    )
    assert sorted(str(outcome.code) for outcome in done) == ["None"] + ["email_taken"] * 49
    assert await services.db.fetchval("SELECT count(*) FROM users") == 1
    assert await services.db.fetchval("SELECT count(*) FROM accounts") == 1


REFUSED = [
    {"email": "grace@example.com"},
    {"password": PASSWORD},
    {**NEW, "password": "1234567"},
    {**NEW, "password": "x" * 1025},
    {**NEW, "password": "x" * 200_000},
    {**NEW, "password": "with a \0 inside"},
    {**NEW, "email": "grace@example.com "},
    {**NEW, "email": "grace@example.com."},
    {**NEW, "email": "grace"},
    {**NEW, "email": "grace@"},
    {**NEW, "email": "a" * 250 + "@example.com"},
    {**NEW, "email": "a" * 29 + "!@"},
    {**NEW, "email": "gr\0ace@example.com"},
    {**NEW, "email": "grace\r\nBcc: x@example.com"},
    {**NEW, "displayName": "x" * 65},
    {**NEW, "displayName": "two\nlines"},
    {**NEW, "displayName": "nul\0"},
    {**NEW, "locale": "not a locale"},
    {**NEW, "balance": 1_000_000},
    {**NEW, "roles": ["admin"]},
    {**NEW, "role": "admin"},
    {**NEW, "status": "active"},
    {**NEW, "id": "018f3c9e-0000-7000-8000-000000000000"},
    {**NEW, "ownerId": "018f3c9e-0000-7000-8000-000000000000"},
    {**NEW, "tokenVersion": 7},
    {"email": ["grace@example.com"], "password": PASSWORD},
    {"email": None, "password": None},
]


async def test_what_is_wrong_is_refused_in_both_doors_and_makes_nobody(auth, services):
    for door in BOTH:
        for input in REFUSED:
            refused = await auth.call(door, "register", input)
            assert refused.code in ("validation_failed", "bad_request"), (door, str(input)[:200], refused)
            assert door == "graphql" or refused.answer.status_code == 400
            assert PASSWORD not in refused.answer.text
    assert await services.db.fetchval("SELECT count(*) FROM users") == 0


NO_OBJECTS = [
    (b"", "application/json"),
    (b"[]", "application/json"),
    (b'"x"', "application/json"),
    (b"null", "application/json"),
    (b'{"email": "\xff"}', "application/json"),
    (b"[" * 100_000, "application/json"),
    (b'{"email": 1' + b"0" * 5000 + b"}", "application/json"),
    (b'{"email":"\\ud800@example.com","password":"12345678"}', "application/json"),
    (b"{}", "text/plain"),
]


async def test_a_body_that_is_no_object_is_400(client):
    for body, kind in NO_OBJECTS:
        answer = await client.post("/auth/register", content=body, headers={"Content-Type": kind})
        assert answer.status_code == 400, (body[:40], answer.text)
        assert answer.json()["code"] == "validation_failed"


@pytest.mark.settings(limit_register="3/3600")
async def test_registrations_are_limited_by_address(auth):
    codes = [
        (await auth.call(BOTH[turn % 2], "register", {**NEW, "email": f"{turn}@example.com"})).code
        for turn in range(5)
    ]
    assert codes == [None, None, None, "rate_limited", "rate_limited"]
    refused = await auth.call("rest", "register", NEW)
    assert refused.answer.status_code == 429
    assert 1 <= int(refused.answer.headers["retry-after"]) <= 1200
