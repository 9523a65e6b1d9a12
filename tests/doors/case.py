"""A call of each door that succeeds for its owner: who may call it, and who must not.

`kind` is what another user meets: `public` (anybody may call it), `own` (it knows the caller alone, so another user
sees none of ada's rows), `row` (it names a row of ada's: not found, as if it did not exist), `admin` (forbidden to
every user). `{name}` in a call is filled from the rows that the cases' modules create.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

UNKNOWN = "01890000-0000-7000-8000-000000000000"

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
RELATION = "it is a relation of the graph; REST shows ids"
CONNECTION = "GraphQL shows the list as a connection, REST as pages: an operation each"


@dataclass(frozen=True)
class Rest:
    method: str
    path: str
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    kind: Literal["public", "own", "row", "admin"]
    rest: Rest | None
    graphql: str | None
    variables: dict[str, Any] = field(default_factory=dict)
    why: str = ""  # a door is missing
    owner: str | None = None  # the code that the owner meets, where success needs more than the request
    form: bool = False  # the calls are forms with a file: REST's part `file`, GraphQL's variable `$file`
    file: tuple[str, bytes, str] | None = None  # of such a form; None: a text
