"""Measures the cost of the IP allowlist: parsing, one lookup and one gated request, with 100,000 CIDRs.

Run: python -m bench.allowlist
"""

import asyncio
import ipaddress
import logging
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import structlog

from core.http.allowlist import Allowlist, AllowlistFile, AllowlistMiddleware, AllowlistMode

CIDRS = 100_000
ROUNDS = 200_000


def cidrs(count: int) -> list[str]:
    """Half IPv4 /28, half IPv6 /64, scattered so that hardly any two of them merge."""
    rng = random.Random(7)
    v4 = rng.sample(range(2**27), count // 2)
    v6 = rng.sample(range(2**40), count - count // 2)
    return [f"{ipaddress.IPv4Address(n << 5)}/28" for n in v4] + [
        f"{ipaddress.IPv6Address((0x2001 << 112) | (n << 65))}/64" for n in v6
    ]


def addresses(count: int) -> list[str]:
    rng = random.Random(11)
    return [
        str(ipaddress.IPv4Address(rng.randrange(2**32)))
        if rng.random() < 0.5
        else str(ipaddress.IPv6Address((0x2001 << 112) | rng.randrange(2**112)))
        for _ in range(count)
    ]


def ns_each(work: Callable[[], object], count: int) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter_ns()
        work()
        best = min(best, (time.perf_counter_ns() - start) / count)
    return best


async def ns_a_request(gate: AllowlistMiddleware, claims: list[str], count: int) -> float:
    headers = [(f"x-filler-{n}".encode(), b"1") for n in range(12)]
    scopes = [
        {
            "type": "http",
            "path": "/users",
            "raw_path": b"/users",
            "headers": [*headers, (b"x-real-ip", claim.encode())],
        }
        for claim in claims
    ]
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter_ns()
        for n in range(count):
            await gate(scopes[n % len(scopes)], None, None)  # type: ignore[arg-type]
        best = min(best, (time.perf_counter_ns() - start) / count)
    return best


async def nothing(scope, receive, send) -> None:
    pass


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    lines = cidrs(CIDRS)
    text = "\n".join(lines) + "\n"
    start = time.perf_counter()
    allowlist = Allowlist.parse(text, "bench")
    print(f"parse {CIDRS:,} CIDRs        {1000 * (time.perf_counter() - start):8.0f} ms")
    numbers = [int(ipaddress.ip_network(line).network_address) for line in lines[: CIDRS // 2]]
    print(
        "bisection alone            "
        f"{ns_each(lambda: [allowlist.contains_number(4, n) for n in numbers], len(numbers)):8.0f} ns"
    )
    mixed = addresses(ROUNDS)
    print(
        f"contains(text), IPv4+IPv6  {ns_each(lambda: [allowlist.contains(ip) for ip in mixed], ROUNDS):8.0f} ns"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ip-allowlist.conf")
        path.write_text(text)
        gate = AllowlistMiddleware(nothing, AllowlistFile(path, AllowlistMode.Enforce))
        networks = [line.partition("/")[0] for line in lines[:: CIDRS // 1000]]
        fresh = [line.partition("/")[0] for line in lines]
        print(f"request, 1,000 clients     {asyncio.run(ns_a_request(gate, networks, ROUNDS)):8.0f} ns")
        print(f"request, never seen before {asyncio.run(ns_a_request(gate, fresh, CIDRS)):8.0f} ns")


if __name__ == "__main__":
    main()
