"""Asks the doctor, and reads what it says."""

import asyncio

from postern.doctor import examine

KEYS = {"secret_key": "Ks1-4f9aQz7Yb2Lw8Xe3Rt6Uv0Nm5Jh_Dc", "jwt_key": "Jw2-9c7eVb4Tn1Mq8Zx5Kp3Ld6Gf0Hs_Ra"}


class Seen:
    def __init__(self, problems: int, lines: list[str]) -> None:
        self.problems, self.lines = problems, lines

    def of(self, what: str) -> list[str]:
        """The findings on `what`, mark first."""
        return [line for line in self.lines if line[2:].startswith(f"{what} ")]

    def one(self, what: str) -> str:
        (line,) = self.of(what)
        return line


async def look(read) -> Seen:
    """Asks the doctor; `read` is settings, or what gives them. No secret may appear, whatever is wrong."""
    lines: list[str] = []
    problems = await asyncio.wait_for(
        examine(lines.append, read if callable(read) else lambda: read), timeout=60
    )
    assert problems == sum(line.startswith("✗") for line in lines)
    assert all(line[:2] in ("✓ ", "! ", "✗ ") for line in lines)
    assert all("→" in line for line in lines if not line.startswith("✓"))
    everything = "\n".join(lines)
    for secret in (*KEYS.values(), "hunter2", "hunter%402", "hunter@2"):
        assert secret not in everything
    return Seen(problems, lines)
