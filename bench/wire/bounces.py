"""The price of an envelope sender of its own for each email: projects with and without `bounce=`, by turns, in one run.

Each round sends both, in an order that changes from round to round, by new workers to postfix's smtp-sink. The ratio of
the workers' processor time is what counts: it depends least on what else the machine does.
"""

import statistics

from bench.wire.contest import Run, describe, send_project
from bench.wire.smtp import CONNECTIONS, sink
from tests.support.deployment import Deployment

MESSAGES = 10_000
GOAL = 1.02  # of the processor time without


async def run(it: Deployment, count: int, messages: int | None) -> None:
    """Prints the runs of `count` rounds, and what an email with `bounce` costs of one without."""
    size = messages or MESSAGES
    print(f"\nbounce=, {size:,} emails each", flush=True)
    runs: dict[str, list[Run]] = {"without": [], "with": []}
    async with sink(it) as server:
        plain = f"smtp://127.0.0.1:{server.port}?from=news@example.com&pool={CONNECTIONS}"
        dsns = {"without": plain, "with": f"{plain}&bounce=bounces.example.com"}
        for number in range(count):
            names = [*dsns] if number % 2 == 0 else [*reversed(dsns)]
            for name in names:
                runs[name].append(taken := await send_project(it, server, "email", dsns[name], size))
                print(f"  round {number + 1}: {name:<8} {describe(taken)}", flush=True)
    pairs = list(zip(runs["with"], runs["without"], strict=True))
    for title, ratios, goal in (
        ("processor time of the worker", [own.worker / other.worker for own, other in pairs], GOAL),
        ("emails a second", [own.finished / other.finished for own, other in pairs], 1 / GOAL),
    ):
        each = ", ".join(f"{ratio:.3f}" for ratio in ratios)
        print(f"  {title}: {statistics.median(ratios):.3f} of that without (goal {goal:.2f}; rounds {each})")
    totals = {name: sum(taken.worker for taken in of_kind) for name, of_kind in runs.items()}
    print(f"  processor time of all rounds together: {totals['with'] / totals['without']:.3f}", flush=True)
