"""A request's log line is written by a short way; it is the pipeline's, field by field."""

import asyncio
import gc
import logging
import re

import orjson
import pytest
import structlog

from core import logs
from shapes.accounts import EntryKind
from tests.support.people import Person

FACTS = {
    "method": "POST",
    "path": '/storage/pst_abcdefghijklmnop/ä\n"x"?token=abc',
    "status": 200,
    "ms": 1.5,
    "user_id": "0192d4c7-0000-7000-8000-000000000001",
}


@pytest.fixture(autouse=True)
def _configured():
    yield
    logs.configure("info", "json")


def _lines(capsys):
    return [orjson.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_it_is_what_the_pipeline_writes(capsys):
    logs.configure("info", "json")
    with structlog.contextvars.bound_contextvars(request_id="a-request"):
        structlog.get_logger("x").info("request", **FACTS)
    logs.request_line(request_id="a-request", **FACTS)
    long, short = _lines(capsys)
    assert list(short) == list(long)
    assert len(short.pop("timestamp")) == len(long.pop("timestamp")) == len("2026-11-20T12:00:00.000000Z")
    assert short == long
    assert "abcdefghijklmnop" not in short["path"]


def test_who_wants_no_requests_gets_none(capsys):
    logs.configure("warning", "json")
    logs.request_line(request_id="x", **FACTS)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_it_is_as_pretty_as_the_rest(capsys):
    logs.configure("info", "pretty")
    logs.request_line(request_id="x", **FACTS)
    output = capsys.readouterr().err
    assert "request" in output
    assert not output.startswith("{")


def test_tests_hear_it():
    logs.configure("info", "json")
    with structlog.testing.capture_logs() as heard:
        logs.request_line(request_id="x", **FACTS)
    assert [line["event"] for line in heard] == ["request"]


def test_a_path_is_told_up_to_a_kilobyte_and_its_secrets_are_not(capsys):
    for form in ("json", "pretty"):
        logs.configure("info", form)
        secret = "x" * 200
        path = "/" + "a" * 900 + "/http://ada:" + secret + "@host/" + "b" * 60_000
        logs.request_line(request_id="x", **{**FACTS, "path": path})
        output = capsys.readouterr().err
        assert secret not in output
        assert "xxxx" not in output
        assert "b" * 50 in output
        assert "…" in output
        assert len(output) < 2000


def test_a_malformed_form_is_no_warning():
    logs.configure("info", "json")
    for name in ("python_multipart", "python_multipart.multipart"):
        assert not logging.getLogger(name).isEnabledFor(logging.WARNING)
        assert logging.getLogger(name).isEnabledFor(logging.ERROR)


@pytest.mark.parametrize(
    ("kind", "text", "lines"),
    [
        ("future", "unexpected connection_lost() call", 0),
        ("future", "the disk is on fire", 1),
        ("task", "unexpected connection_lost() call", 1),
    ],
)
async def test_a_connection_that_was_given_up_is_no_error(kind: str, text: str, lines: int, capsys):
    """asyncpg leaves such a future behind when a connection is cancelled while it opens."""

    async def fails() -> None:
        raise ConnectionError(text)

    logs.configure("info", "json")
    capsys.readouterr()
    if kind == "task":
        left = asyncio.create_task(fails())
        await asyncio.wait([left])
    else:
        left = asyncio.get_running_loop().create_future()
        left.set_exception(ConnectionError(text))
    del left
    gc.collect()
    assert capsys.readouterr().err.count("exception was never retrieved") == lines


async def test_a_refusal_s_status_is_a_number_on_a_terminal_too(client, capsys):
    """Errors carry their status as an enum, which the pretty renderer would write as one."""
    logs.configure("info", "pretty")
    capsys.readouterr()
    assert (await client.get("/auth/me")).status_code == 401
    structlog.get_logger("x").info("other", channel=EntryKind.credit)
    output = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().err)
    assert "status=401" in output
    assert "channel=credit" in output
    assert "<" not in output


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/block/+14155550100", "/block/***"),
        ("/block/unblock/+14155550100", "/block/unblock/***"),
        ("/block/ada@example.com", "/block/***"),
        ("/block/ada/x@example.com", "/block/***"),
        ("/block/unblock/14155550100/", "/block/unblock/***"),
        ("/block/list", "/block/list"),
        ("/block/count", "/block/count"),
        ("/storage/+1 (415) 555-0100", "/storage/***"),
        ("/legacy/users/ada@example.com/orders", "/legacy/users/***/orders"),
        ("/messages/01900000-0000-7000-8000-000000000000", "/messages/01900000-0000-7000-8000-000000000000"),
        ("/hooks/twilio/2", "/hooks/twilio/2"),
    ],
)
def test_a_recipient_s_address_is_not_in_the_path(path: str, logged: str):
    assert logs.without_addresses(path) == logged


async def test_no_line_of_a_request_has_the_recipient_s_address(
    ada: Person, capfd: pytest.CaptureFixture[str]
):
    logs.configure("info", "json")
    for method, path in (
        ("POST", "/block/+14155550123"),
        ("POST", "/block/%2B14155550123"),
        ("POST", "/block/ada-in-secret%40example.com"),
        ("POST", "/block/unblock/+14155550123"),
        ("GET", "/block/list?q=%2B14155550123"),
        ("GET", "/message/list?phone=%2B14155550123"),
    ):
        assert (await ada.rest(method, path)).status_code < 300
    lines = [line for line in capfd.readouterr().err.splitlines() if '"event":"request"' in line]
    assert len(lines) == 6
    assert not [line for line in lines if "4155550123" in line or "secret" in line]
