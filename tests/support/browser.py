"""Chromium without a window, driven over its DevTools protocol: what a person does, and what the page then does."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, eventually

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_LIKE_OTHERS = ("setpriv", "--bounding-set=-sys_nice")
"""The command before Chromium's, which as root would give itself a higher priority than services that it waits for."""
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--kiosk",  # without tabs and toolbars, which cost a fifth of the processor time of a page
    "--renderer-process-limit=1",  # a process for each tab costs a tenth
    "--remote-debugging-port=0",
)
_SIZE = {"width": 1440, "height": 813}  # of a page
_SHOWS = "document.querySelector({selector!r})?.checkVisibility() ?? false"

# The middle of an element that is enabled, has stood still for a tenth of a second, and is on top. A radio button is
# drawn by its label.
MIDDLE = """async function () {
    const target = this.matches("input[type=radio], input[type=checkbox]") ? (this.labels[0] ?? this) : this;
    if (this.disabled || this.ariaDisabled === "true") return null;
    target.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
    const before = target.getBoundingClientRect();
    await new Promise((next) => setTimeout(next, 100));
    await new Promise((next) => requestAnimationFrame(next));
    const box = target.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const still = box.x === before.x && box.y === before.y && box.width === before.width;
    return still && box.width > 0 && target.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}"""

_LISTEN = """function () {
    this.heard = false;
    this.addEventListener("click", () => { this.heard = true; }, {once: true, capture: true});
}"""
_HEARD = "function () { return this.heard || !this.isConnected; }"
# Where to click, of an element that then listens.
_AIM = f"""async (element) => {{
    const middle = element && await ({MIDDLE}).call(element);
    if (middle) ({_LISTEN}).call((window.aimedAt = element));
    return middle;
}}"""


class Navigated(AssertionError):
    """The page went elsewhere or loaded anew before it answered."""


class Page:
    """A tab. Every request, message of the console and violation of the policy is kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._ids = socket, itertools.count(1)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.loads = 0
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", **_SIZE, deviceScaleFactor=1, mobile=False)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        id = next(self._ids)
        self._socket.send(json.dumps({"id": id, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == id:
                if "error" in message:
                    error = message["error"]
                    raise (Navigated if "navigated" in error["message"] else AssertionError)(
                        f"{method}: {error}"
                    )
                result: dict[str, Any] = message["result"]
                return result
            self._keep(message)

    def _keep(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self.loads += 1
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Network.webSocketCreated":
                self.requests.append(params["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "assert", "warning"):
                self.complaints.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.complaints.append(str(params["entry"]))

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def try_evaluate(self, expression: str) -> Any:
        """The same; None if the page loads anew meanwhile."""
        try:
            return self.evaluate(expression)
        except Navigated:
            return None

    def wait(self, expression: str) -> Any:
        """Waits until an expression is true, and returns its value; it may refer to what the page has not loaded
        yet, and the page may load anew meanwhile.
        """
        return eventually(lambda: self.try_evaluate(expression), expression)

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def reload(self) -> None:
        """Reloads the page and waits until the new one is loaded: the old one answers for a while."""
        before = self.loads
        self.call("Page.reload")
        while self.loads == before:
            self._keep(json.loads(self._socket.recv(timeout=PATIENCE)))

    def shows(self, selector: str) -> None:
        self.wait(_SHOWS.format(selector=selector))

    def hides(self, selector: str) -> None:
        self.wait("!(" + _SHOWS.format(selector=selector) + ")")

    def click(self, selector: str) -> None:
        """Clicks the first such element with the mouse, once it stands still and nothing covers it; again if the page
        moved it away in the last moment.
        """
        self.call("Page.bringToFront")  # a tab behind another one is drawn once a second
        element = f"document.querySelector({selector!r})"

        def is_clicked() -> bool:
            middle = self.try_evaluate(f"({_AIM})({element})")
            if not middle:
                return False
            self.click_at(*middle)
            return self.try_evaluate(f"({_HEARD}).call(window.aimedAt ?? {{}})") is not False

        eventually(is_clicked, f"{selector} can be clicked")

    def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def click_node(self, node: int, x: float, y: float) -> bool:
        """Clicks at a point. Returns whether the element was told of the click, or is gone since."""
        self.apply(_LISTEN, node)
        self.click_at(x, y)
        try:
            return bool(self.apply(_HEARD, node))
        except AssertionError:
            return True  # the click has led to another page

    def write(self, text: str) -> None:
        """Into what has the focus."""
        self.call("Input.insertText", text=text)

    def type(self, text: str) -> None:
        """The same, key by key."""
        for character in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", key=character, text=character)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=character)

    def named(self, name: str, roles: frozenset[str]) -> list[int]:
        """Returns ids for `apply` of the elements with this accessible name and one of these roles, in the document's
        order.
        """
        root = self.call("DOM.getDocument", depth=0)["root"]["backendNodeId"]
        nodes = self.call("Accessibility.queryAXTree", backendNodeId=root, accessibleName=name)["nodes"]
        return [
            node["backendDOMNodeId"]
            for node in nodes
            if not node["ignored"] and node["role"]["value"] in roles
        ]

    def apply(self, function: str, node: int, *arguments: Any) -> Any:
        """The value of a JavaScript function, called with the element as `this`, awaited."""
        element = self.call("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        done = self.call(
            "Runtime.callFunctionOn",
            functionDeclaration=function,
            objectId=element,
            arguments=[{"value": one} for one in arguments],
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def press(self, key: str, code: int, *, ctrl: bool = False, command: str | None = None) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                modifiers=2 if ctrl else 0,
                text="\r" if key == "Enter" and kind == "keyDown" and not ctrl else "",
                commands=[command] if command and kind == "keyDown" else [],
            )

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


class Browser:
    def __init__(self, port: int) -> None:
        self._http = f"http://127.0.0.1:{port}"

    @contextmanager
    def page(self) -> Iterator[Page]:
        made = httpx.put(f"{self._http}/json/new?about:blank", timeout=PATIENCE).json()
        with connect(made["webSocketDebuggerUrl"], max_size=2**26, open_timeout=PATIENCE) as socket:
            yield Page(socket)
        httpx.get(f"{self._http}/json/close/{made['id']}", timeout=PATIENCE)


def _prefix() -> tuple[str, ...]:
    """Returns `_LIKE_OTHERS` where that is needed and allowed: a container's root may not change its capabilities."""
    if os.geteuid() != 0 or not shutil.which(_LIKE_OTHERS[0]):
        return ()
    done = subprocess.run([*_LIKE_OTHERS, "true"], capture_output=True, check=False)
    return _LIKE_OTHERS if done.returncode == 0 else ()


@contextmanager
def browsing(*flags: str) -> Iterator[Browser]:
    """A browser with a profile of its own, which is thrown away, and with more flags."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(prefix="postern-chromium-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [*_prefix(), CHROMIUM, *_FLAGS, *flags, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            told = Path(profile) / "DevToolsActivePort"
            lines = eventually(
                lambda: told.exists() and told.read_text().splitlines(), "Chromium says its port"
            )
            yield Browser(int(lines[0]))
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def visit(browser: Browser, live: Live, path: str, *, ready: str) -> Iterator[Page]:
    """For a fixture: a page that a browser sees for the first time, when `ready` is true in it. Whatever a test then
    does, nothing is asked for elsewhere, and the browser has no complaint.
    """
    url = f"http://127.0.0.1:{live.port}"
    with browser.page() as opened:
        opened.call("Storage.clearDataForOrigin", origin=url, storageTypes="all")
        opened.go(f"{url}{path}")
        opened.wait(ready)
        yield opened
        ours = (f"{url}/", f"ws://127.0.0.1:{live.port}/", "data:font/woff", "data:image/")
        assert [asked for asked in opened.requests if not asked.startswith(ours)] == []
        assert opened.complaints == []


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium (Debian's package is chromium)")
    with browsing() as running:
        yield running


@pytest.fixture(scope="package")
def live() -> Iterator[Live]:
    """A running service with a worker."""
    with serving(workers=1, POSTERN_GRAPHIQL="true") as running:
        yield running
