"""Hostile texts, rules and files against the service: how long others wait. `python -m bench.render_pool`.

A real `postern serve` with its worker, real sockets. Twenty requests of one kind at once, again and again, by as many
users as there are kinds; meanwhile `/health` and logins are timed. Printed beside the idle service of the same run.
"""

import asyncio
import io
import itertools
import os
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from bench.gateway import child
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

AT_ONCE = 20
SECONDS = 6.0
_LOOPS = (
    "{% for a in (1..99) %}{% for b in (1..99) %}{{ a | append: b | upcase }}{% endfor %}{% endfor %}" * 40
)
_TAGS = "{% if a %}x{% endif %}" * 990
_PREVIEW = "query($i: PreviewMessage!) { previewMessage(input: $i) { characters } }"
Call = Callable[[httpx.AsyncClient, int], Any]


def _sheet() -> bytes:
    cells = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>x</t></is></c></row>' for n in (1, 1048576)
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        )
        book.writestr(
            "xl/workbook.xml",
            '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
            'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
            '<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        book.writestr(
            "xl/worksheets/sheet1.xml",
            '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
            f"<sheetData>{cells}</sheetData></worksheet>",
        )
    return out.getvalue()


def _kinds(project: str) -> dict[str, Call]:
    rule = {
        "rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "timezone": "UTC",
        "startAt": "2026-11-21T00:00:00Z",
    }
    repeatable = {
        "name": "r", "template": {"channel": "email", "subject": "s", "text": "t"}, "schedule": rule,
        "source": {"sendingProjectUuid": project},
    }  # fmt: skip
    sheet = _sheet()
    return {
        "POST /test-sending": lambda http, n: http.post(
            "/test-sending", json={"channel": "sms", "to": "+15005550000", "text": _LOOPS + str(n)}
        ),
        "previewMessage": lambda http, n: http.post(
            "/graphql",
            json={"query": _PREVIEW, "variables": {"i": {"channel": "email", "text": _TAGS + str(n)}}},
        ),
        "saving a project": lambda http, n: http.post(
            "/sending-project", json={"name": "p", "channel": "email", "subject": "s", "text": _TAGS + str(n)}
        ),
        "RRULE": lambda http, n: http.post("/repeatable-sending-project", json=repeatable),
        "XLSX": lambda http, n: http.post("/recipient-import", files={"file": (f"{n}.xlsx", sheet)}),
    }


async def _timed(http: httpx.AsyncClient, seconds: float) -> tuple[float, float]:
    """p99 of /health and of a login, in milliseconds."""
    until = time.perf_counter() + seconds

    async def again(call: Callable[[], Any], pause: float) -> list[float]:
        times = []
        while (begun := time.perf_counter()) < until:
            (await call()).raise_for_status()
            times.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(pause)
        return times

    health, login = await asyncio.gather(
        again(lambda: http.get("/health"), 0.01),
        again(
            lambda: http.post("/auth/login", json={"email": "victim@bench.test", "password": "bench bench"}),
            0.1,
        ),
    )
    return tuple(statistics.quantiles(times, n=100)[98] for times in (health, login))  # type: ignore[return-value]


async def _under(
    http: httpx.AsyncClient, attackers: list[tuple[httpx.AsyncClient, Call]]
) -> tuple[float, float]:
    numbers = itertools.count()

    async def attack(who: httpx.AsyncClient, call: Call) -> None:
        while True:
            answer = await call(who, next(numbers))
            assert answer.status_code < 500 or answer.status_code == 503, answer.text
            await asyncio.sleep(0.02)

    attacks = [asyncio.create_task(attack(who, call)) for who, call in attackers for _ in range(AT_ONCE)]
    await asyncio.sleep(0.5)
    try:
        return await _timed(http, SECONDS)
    finally:
        for source in attacks:
            source.cancel()
        await asyncio.gather(*attacks, return_exceptions=True)


async def client(port: int, email: str) -> httpx.AsyncClient:
    """A client that has logged in."""
    http = httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=60, limits=httpx.Limits(max_connections=64)
    )
    token = (await http.post("/auth/login", json={"email": email, "password": "bench bench"})).json()[
        "accessToken"
    ]
    http.headers["Authorization"] = f"Bearer {token}"
    return http


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        postgres, redis = EmbeddedPostgres(Path(folder)), EmbeddedRedis(Path(folder))
        with postgres, redis:
            keys: dict[str, Any] = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
            settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)
            await prepare(settings)
            emails = ["victim@bench.test", *(f"a{n}@bench.test" for n in range(5))]
            async with services(settings) as opened:
                for email in emails:
                    await operator.create_user(opened, email, admin=False, password="bench bench")
            port = 3917
            environment = {
                "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32, "POSTERN_LIMIT_LOGIN": "100000/60",
                "POSTERN_LIMIT_LOGIN_GLOBAL": "100000/60",
                "POSTERN_LIMIT_TEST_SENDING": "100000/60", "POSTERN_LIMIT_GRAPHQL": "100000000/60",
                "POSTERN_DATA_DIR": folder, "POSTERN_LOG_LEVEL": "error",
            }  # fmt: skip
            async with child(port, "/health", environment, "postern", "serve", "--port", str(port)):
                victim = await client(port, emails[0])
                others = [await client(port, email) for email in emails[1:]]
                made = await others[0].post(
                    "/sending-project", json={"name": "p", "channel": "email", "subject": "s", "text": "t"}
                )
                kinds = _kinds(made.json()["uuid"])
                idle = await _timed(victim, SECONDS)
                print(f"{'idle':<22} health p99 {idle[0]:7.1f} ms         login p99 {idle[1]:7.1f} ms")
                runs = {name: [(others[0], call)] for name, call in kinds.items()}
                calm: Call = lambda http, _: http.get("/messages?limit=1")  # noqa: E731
                runs["100 calm requests"] = [(other, calm) for other in others]
                runs["all of them"] = list(zip(others, kinds.values(), strict=True))
                good = True
                for name, attackers in runs.items():
                    await asyncio.sleep(3)
                    health, login = await _under(victim, attackers)
                    within_bounds = health <= max(3 * idle[0], 100) and login <= max(3 * idle[1], 1000)
                    good &= within_bounds
                    print(
                        f"{name:<22} health p99 {health:7.1f} ms ({health / idle[0]:5.1f}) login p99 {login:7.1f} ms"
                        f" ({login / idle[1]:5.1f}) {'kept' if within_bounds else 'MISSED'}"
                    )
                print("within 3 times idle, or 100 ms and 1 s" if good else "a bound was missed")
                for http in (victim, *others):
                    await http.aclose()


if __name__ == "__main__":
    os.environ.setdefault("POSTERN_LOG_LEVEL", "error")
    sys.exit(asyncio.run(main()))
