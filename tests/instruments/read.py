"""Reads the instruments, each as lines that name what it finds wrong."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any, Final

import aiohttp

from core.installation import ROOT
from tests.instruments.world import World

INSTRUMENTS: Final = ("doctor", "alerts", "console", "log")
_SECONDS: Final = 40.0
_TIMEOUT: Final = aiohttp.ClientTimeout(20)


async def doctor(world: World) -> list[str]:
    """Returns what `postern doctor` finds wrong, run by an operator on this machine."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "postern", "doctor", cwd=ROOT, env={**os.environ, **world.environment},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        output, _ = await asyncio.wait_for(child.communicate(), _SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()
        return ["✗ doctor did not end"]
    return [line for line in output.decode().splitlines() if line[:1] in "!✗" and line.strip()]


async def alerts(world: World) -> list[str]:
    """Returns the alerts of Prometheus that are raised, or will be if their cause lasts (pending)."""
    url = f"http://127.0.0.1:{world.prometheus_port}/api/v1/alerts"
    with suppress(aiohttp.ClientError, TimeoutError):
        async with aiohttp.ClientSession(timeout=_TIMEOUT) as session, session.get(url) as answer:
            raised = (await answer.json())["data"]["alerts"]
            return sorted({_alert(each) for each in raised})
    return []


def _alert(raised: dict[str, Any]) -> str:
    """Returns name, state and result of an alert."""
    labels = raised["labels"]
    return f"{labels['alertname']} {raised['state']} {labels.get('result', '')}".strip()


async def console(world: World) -> list[str]:
    """Returns what the console's System page shows an administrator: the health, and the findings."""
    lines = []
    headers = {"Authorization": f"Bearer {world.token}"}
    base = f"http://127.0.0.1:{world.port}"
    try:
        async with aiohttp.ClientSession(timeout=_TIMEOUT, headers=headers) as session:
            async with session.get(f"{base}/health/v2") as answer:
                health = await answer.json()
            lines += [f"health {name} {state}" for name, state in _leaves(health) if state in _ILL]
            async with session.get(f"{base}/system/doctor", params={"fresh": "true"}) as answer:
                report = await answer.json()
            if answer.status != 200:
                return [*lines, f"{answer.status} {report.get('code')}: {report.get('message')}"]
            lines += [
                f"{each['severity']} {each['topic']}: {each['text']}"
                for each in report["findings"]
                if each["severity"] != "ok"
            ]
    except (aiohttp.ClientError, TimeoutError) as error:
        lines.append(f"no answer: {type(error).__name__}")
    return lines


_ILL: Final = ("down", "degraded", "error", "unavailable", "unhealthy", "disconnected")


def _leaves(value: object, name: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, f"{name}.{key}".strip("."))]
    return [(name, str(value))]


class Log:
    """The log of all processes: what it has of warnings and errors since it was read last."""

    def __init__(self, world: World) -> None:
        self._file = world.log
        self._read = self._file.stat().st_size
        self.lines: list[str] = []

    def read(self) -> list[str]:
        """Returns all warnings and errors since this object was made."""
        with self._file.open("rb") as file:
            file.seek(self._read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.decode(errors="replace").splitlines():
            with suppress(ValueError):
                entry = json.loads(line)
                if entry.get("level") in ("warning", "error", "critical"):
                    self.lines.append(_short(entry))
        self.lines = [*dict.fromkeys(self.lines)]
        return self.lines


_DROPPED: Final = ("timestamp", "event", "level", "request_id")


def _short(entry: dict[str, object]) -> str:
    rest = " ".join(f"{key}={value}" for key, value in entry.items() if key not in _DROPPED)
    return f"{entry['level']} {entry['event']} {rest}"[:300]
