"""Has strangers speak with the door for agents: `make strangers-mcp`, which needs npm, and a network once.

The suite of npm's @modelcontextprotocol/conformance, its test of authorization servers, npm's
@modelcontextprotocol/inspector and Python's `mcp` ask a service that runs, by HTTP and by `postern mcp`.
`expected.yml` says which scenarios of the suite fail and why; it fails if another one does, or if one of those passes.
What was fetched lies beside this file.
`python -m tests.strangers.mcp --why` prints what each failed check says.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from core.installation import ROOT
from tests.strangers.mcp.proxy import Proxy, proxied
from tests.support import servers
from tests.support.live import Live, serving
from tests.support.ports import free_port

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules" / "@modelcontextprotocol"
SUITE = PACKAGES / "conformance/dist/index.js"
INSPECTOR = PACKAGES / "inspector/clients/launcher/build/index.js"
SDK = "mcp==2.3.0"
REVISIONS = ("2025-11-25", "2026-07-28")
_SECONDS = 600


class Missing(Exception):
    """Something that the strangers need is not to be had here."""


def fetch() -> tuple[Path, Path]:
    """Fetches the strangers unless they are there. Returns Node and a Python with the SDK. Raises Missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is not installed")
    if not (HERE / "node_modules/.package-lock.json").exists():
        # `npm ci` refuses if a registry lacks an optional package of another system; this takes the locked ones, too.
        words = [
            npm,
            "install",
            "--no-save",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ]
        if subprocess.run(words, cwd=HERE, check=False, timeout=_SECONDS).returncode:
            raise Missing("npm could not install them, as it says above")
    nodes = [*(HERE / "node_modules").glob("node-linux-*/bin/node")]
    if not nodes:
        raise Missing("there is no Node 22 for this machine")
    python = HERE / ".venv/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", HERE / ".venv"], check=True)
    words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", SDK]
    if subprocess.run(words, check=False, timeout=_SECONDS, stderr=subprocess.DEVNULL).returncode:
        raise Missing("pip can't reach its registry")
    return nodes[0], python


def token_of(live: Live) -> str:
    """Makes an API token."""
    made = live.client.post("/api-tokens", json={"name": "strangers"}, headers=live.ada.headers)
    return str(made.json()["token"])


def suite(node: Path, proxy: Proxy) -> bool:
    """Runs the suite for servers in both revisions. Returns whether it is as expected."""
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for revision in REVISIONS:
            words = [node, SUITE, "server", "--url", f"{proxy.url}/mcp", "--requirements", revision]
            expected = Path(folder, f"{revision}.yml")
            expected.write_text(_expected(revision))
            words += ["--expected-failures", expected, "-o", Path(folder, revision)]
            done = _run(words, {})
            checks = [json.loads(each.read_text()) for each in Path(folder, revision).rglob("checks.json")]
            states = [check.get("status") for each in checks for check in each]
            counts = ", ".join(f"{states.count(each)} {each}" for each in sorted({*states}))
            for check in (each for checked in checks for each in checked if "--why" in sys.argv):
                if check.get("status") == "FAILURE":
                    print(f"    {check.get('id')}: {check.get('errorMessage') or check.get('description')}")
            print(f"  {revision}: {counts}; {'as expected' if not done.returncode else 'NOT AS EXPECTED'}")
            if done.returncode:
                fine = False
                print(done.stdout[-4_000:], done.stderr[-2_000:])
    return fine


def _expected(revision: str) -> str:
    """Returns the expected failures in a revision: a line may say `# of REVISION alone`."""
    lines = (HERE / "expected.yml").read_text().splitlines()
    return "\n".join(line for line in lines if " alone" not in line or revision in line) + "\n"


def authorization(node: Path, proxy: Proxy, live: Live) -> bool:
    """Runs the suite for authorization servers, in which a person (this program, as ada) consents."""
    port = free_port()
    body = {"client_name": "Conformance", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}
    client = live.client.post("/oauth/register", json=body).json()["client_id"]
    words = [node, SUITE, "authorization", "--url", proxy.url, "--client-id", client, "--port", str(port)]
    words += ["--resource", f"{proxy.url}/mcp"]
    done = _run(words, {}, lambda line: _consent(line, live, proxy.url))
    print(f"  {'passed' if not done.returncode else 'FAILED'}")
    if done.returncode:
        print(done.stdout[-4_000:], done.stderr[-2_000:])
    return not done.returncode


def _consent(line: str, live: Live, base: str) -> None:
    """Consents to a request of OAuth that a line of the suite names, as the console does."""
    found = re.search(re.escape(base) + r"/oauth/authorize\?\S+", line)
    if found is None:
        return
    query = dict(parse_qsl(urlsplit(found[0]).query))
    names = {
        "clientId": "client_id", "redirectUri": "redirect_uri", "responseType": "response_type",
        "codeChallenge": "code_challenge", "codeChallengeMethod": "code_challenge_method",
        "resource": "resource", "state": "state", "scope": "scope",
    }  # fmt: skip
    body: dict[str, Any] = {ours: query[theirs] for ours, theirs in names.items() if theirs in query}
    answer = live.client.post("/agents", json={**body, "scopes": ["messages:read"]}, headers=live.ada.headers)
    httpx.get(answer.json()["redirectUrl"])


def inspector(node: Path, proxy: Proxy) -> bool:
    """Runs the inspector in both kinds of revisions. Returns whether its calls were answered."""
    fine = True
    for era in ("legacy", "modern"):
        words = [node, INSPECTOR, "--cli", f"{proxy.url}/mcp", "--transport", "http", "--protocol-era", era]
        words += ["--header", f"Authorization: Bearer {proxy.token}", "--format", "json", "--method"]
        listed = _run([*words, "tools/list"], {})
        called = _run([*words, "tools/call", "--tool-name", "who_am_i"], {})
        good = '"send_message"' in listed.stdout and "ada@example.com" in called.stdout
        print(f"  {era}: tools/list and tools/call {'answered' if good else 'FAILED'}")
        if not good:
            fine = False
            print(listed.stdout[-500:], listed.stderr[-1_000:], called.stdout[-500:], called.stderr[-1_000:])
    return fine


def sdk(python: Path, proxy: Proxy) -> bool:
    """Runs the client of Python's SDK. Returns whether it did what it had to."""
    environment = {
        "MCP_URL": proxy.url, "MCP_TOKEN": proxy.token, "POSTERN_PYTHON": sys.executable, "POSTERN_ROOT": str(ROOT),
    }  # fmt: skip
    done = _run([python, HERE / "sdk.py"], environment)
    print(done.stdout, end="")
    if done.returncode:
        print(done.stderr[-4_000:])
    return not done.returncode


def _run(
    words: list[Any], environment: Mapping[str, str], each: Callable[[str], None] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a program to its end, and calls `each` with every line of its output."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in words],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if each is not None:
                Thread(target=each, args=(line,), daemon=True).start()
        code = process.wait(_SECONDS)
        process.stdout.close()
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, "".join(lines), errors.read())


def main() -> int:
    """Returns 0 if everything is as expected, or can't be tried here."""
    try:
        node, python = fetch()
    except Missing as missing:
        print(f"The strangers of /mcp are not asked: {missing}.")
        return 0
    with servers.running(), proxied() as proxy:
        settings = {"POSTERN_MCP": "1", "POSTERN_MCP_REGISTRATION": "1", "POSTERN_PUBLIC_URL": proxy.url}
        with serving(**settings) as live:
            proxy.target, proxy.token = live.port, token_of(live)
            print("@modelcontextprotocol/conformance, of servers:")
            fine = [suite(node, proxy)]
            print("@modelcontextprotocol/conformance, of authorization servers:")
            fine.append(authorization(node, proxy, live))
            print("@modelcontextprotocol/inspector:")
            fine.append(inspector(node, proxy))
            print(f"Python's {SDK}:")
            fine.append(sdk(python, proxy))
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
