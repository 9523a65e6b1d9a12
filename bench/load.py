"""Load on loopback: wrk where it is installed, else a small client of our own; bounded in time."""

import asyncio
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Measured:
    per_second: float
    p99_ms: float
    failed: int


async def drive(
    port: int, path: str, headers: dict[str, str], seconds: float, body: bytes | None = None
) -> Measured:
    """Keeps 16 connections busy with one request for so long."""
    if shutil.which("wrk"):
        return await _wrk(port, path, headers, seconds, body)
    return await _own(port, path, headers, seconds, body)


async def _wrk(port: int, path: str, headers: dict[str, str], seconds: float, body: bytes | None) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        words = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", "--latency"]
        if body is not None:
            script = Path(folder) / "post.lua"
            script.write_text(f'wrk.method = "POST"\nwrk.body = [[{body.decode()}]]\n')
            words += ["-s", str(script)]
        for name, value in headers.items():
            words += ["-H", f"{name}: {value}"]
        child = await asyncio.create_subprocess_exec(
            *words, f"http://127.0.0.1:{port}{path}", stdout=asyncio.subprocess.PIPE
        )
        output = (await child.communicate())[0].decode()
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])  # type: ignore[index]
    late = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Measured(rate, float(late[1]) * scale[late[2]] if late else 0.0, int(wrong[1]) if wrong else 0)


async def _own(port: int, path: str, headers: dict[str, str], seconds: float, body: bytes | None) -> Measured:
    answers = await in_turns(port, [request(path, headers, body)] * CONNECTIONS, seconds)
    return Measured(len(answers.times) / answers.took, answers.percentile(99), answers.failed)


@dataclass(frozen=True, slots=True)
class Answers:
    times: list[float]  # seconds of each answered request
    failed: int  # answers that are no 2xx
    took: float  # seconds of the whole

    def percentile(self, part: int) -> float:
        """Returns milliseconds."""
        return statistics.quantiles(self.times, n=100)[part - 1] * 1000


def request(path: str, headers: dict[str, str], body: bytes | None = None) -> bytes:
    """Returns the bytes of a GET, or of a POST if there is a body."""
    lines = [
        f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
        "Host: bench",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


async def in_turns(port: int, requests: Sequence[bytes], seconds: float) -> Answers:
    """Sends each request again and again over a connection of its own, for so long."""
    until = time.perf_counter() + seconds
    times: list[float] = []
    failed = 0

    async def one(request: bytes) -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (begun := time.perf_counter()) < until:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])  # type: ignore[index]
            await reader.readexactly(length)
            failed += not head.startswith(b"HTTP/1.1 2")
            times.append(time.perf_counter() - begun)
        writer.close()

    begun = time.perf_counter()
    await asyncio.gather(*(one(request) for request in requests))
    return Answers(times, failed, time.perf_counter() - begun)
