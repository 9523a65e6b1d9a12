"""`python -m tests.mcp [WORDS]` plays the tasks of a scripted agent, and prints what is counted after each.

The counts are those of the database and of the provider: messages sent twice, acts that were let in, and people beyond
`approvalAbove` without an approval must be 0. With WORDS, only tasks with these words in their titles are played.
"""

import asyncio
import sys
import traceback

from tests.mcp.hostile import HOSTILE
from tests.mcp.installation import installation
from tests.mcp.stage import Tally, played
from tests.mcp.tasks import TASKS
from tests.support import servers


def main(words: str) -> int:
    """Plays the tasks, and returns how many were not as they should be."""
    failed = 0
    chosen = [each for each in (*TASKS, *HOSTILE) if words in each.title]
    total = Tally()
    with servers.running(), installation(2 * len(chosen)) as installed:
        print(f"{'twice':>5} {'in':>3} {'crowd':>5} {'sent':>4}")
        for task in chosen:
            try:
                counted = asyncio.run(played(installed, task))
            except Exception:
                failed += 1
                print(f"{'FAILED':<20} {task.title}")
                traceback.print_exc()
                continue
            for name in ("twice", "let_in", "crowd", "sent"):
                setattr(total, name, getattr(total, name) + getattr(counted, name))
            print(
                f"{counted.twice:>5} {counted.let_in:>3} {counted.crowd:>5} {counted.sent:>4} {task.title}",
                flush=True,
            )
    print(
        f"{total.twice:>5} {total.let_in:>3} {total.crowd:>5} {total.sent:>4} {len(TASKS)} tasks and {len(HOSTILE)}"
        f" hostile ones; {failed} failed"
    )
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(" ".join(sys.argv[1:])) else 0)
