"""The reconciliation of the project under fire: it verifies, and says what the provider's own log says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from engine.reconciliations.sums import SENT
from tests.support.reconciled import reconciled

NOT_SENT = ("failed", "skipped", "queued", "sending", "canceled")


async def problems(
    url: str, project: UUID, rows: Mapping[str, Any], effects: Sequence[Sequence[str]] | None
) -> list[str]:
    """Returns what is wrong with it. `rows`: messages by id. `effects`: the log of the provider, if it has one."""
    files = await reconciled(url, project)
    document, wrong = files.contents, list[str]()
    if document["state"] != "balanced":
        wrong.append(f"the reconciliation is open: {document['differences']}")
    if sorted(line["message"] for line in files.people) != sorted(rows):
        return [*wrong, "the reconciliation is about other messages"]
    if effects is None:
        return wrong
    taken = Counter(effect[2] for effect in effects)
    for line in files.people:
        times = taken[rows[line["message"]]["to"]]
        if (line["state"] in SENT and not times) or (line["state"] in NOT_SENT and times):
            wrong.append(f"the reconciliation says {line['state']}, and the provider took it {times} times")
    return wrong
