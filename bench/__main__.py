"""`make bench`: ratios from one run. This machine's speed is nobody's business; the ratio to bare SQL is."""

import asyncio

from bench import gateway, imports, projects
from bench.wire.__main__ import main as wire

gateway.run()
asyncio.run(imports.main(1_000_000))
projects.run()
asyncio.run(wire(["webhooks"], 3, None, 8))
