"""Measures how long the console needs from its address to Overview with data, on a slow network.
`python -m bench.console_start [--rounds 3]`.

It runs a real service and Chromium, which limits the network to 50 kB/s and answers nothing sooner than after 400 ms,
as a phone's connection does. "Cold" is a browser that was never here, "warm" one that has been: it has the files whose
names contain their hash. The time ends when the numbers, what needs a person, and the chart are drawn. The goals are
6 s and 2.5 s.
"""

import argparse
from statistics import median

from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, cookie_of, new_user, send
from tests.support import servers
from tests.support.browser import browsing
from tests.support.live import serving

GOALS = {"cold": 6.0, "warm": 2.5}  # seconds

# Tells when the page was first complete, without asking it: a question would take time from it.
_WATCH = """(() => {
    const there = () => document.querySelector("main canvas") &&
        !document.querySelector("main .mantine-Skeleton-root") && /Needs a person/.test(document.body.innerText);
    const look = () => { if (there()) window.complete = performance.now(); else setTimeout(look, 20); };
    look();
})()"""
_BYTES = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, one) => sum + one.transferSize, 0)"""


def measure(tab: Tab, path: str) -> tuple[float, int]:
    """Opens a page. Returns after how many seconds it was complete, and how many bytes came over the network."""
    tab.page.call("Page.navigate", url="about:blank")
    tab.page.wait("location.href === 'about:blank'")
    tab.page.call("Page.navigate", url=tab.url + path)
    tab.page.wait("window.complete > 0")
    return tab.page.evaluate("window.complete") / 1000, tab.page.evaluate(_BYTES)


def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.console_start")
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--bytes", type=int, default=50_000, help="a second")
    parse.add_argument("--latency", type=int, default=400, help="milliseconds")
    arguments = parse.parse_args()
    with servers.running(), serving(workers=1, POSTERN_CONSOLE="true") as live, browsing() as browser:
        user = new_user(live)
        for to in (DELIVERED, FAILED):
            send(live, user, to)
        name, value = cookie_of(live, user)
        taken: dict[str, list[float]] = {"cold": [], "warm": []}
        for _ in range(arguments.rounds):
            with browser.page() as page:
                tab = Tab(page, live)
                page.call("Storage.clearDataForOrigin", origin=tab.url, storageTypes="all")
                page.call("Network.clearBrowserCache")
                page.call("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
                cookie = {
                    "url": tab.url,
                    "name": name,
                    "value": value,
                    "httpOnly": True,
                    "sameSite": "Strict",
                }
                page.call("Network.setCookie", **cookie)
                tab.network(latency=arguments.latency, bytes_a_second=arguments.bytes)
                for kind, each in taken.items():
                    seconds, bytes = measure(tab, "/console")
                    each.append(seconds)
                    print(f"{kind} {seconds:5.2f} s {bytes / 1000:6.1f} kB", flush=True)
        for kind, each in taken.items():
            print(f"{kind}: median {median(each):.2f} s, best {min(each):.2f} s, of {GOALS[kind]} s")


if __name__ == "__main__":
    main()
