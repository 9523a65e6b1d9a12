"""graphql-core's executor in two versions: with the deferred parts of a query sent later, or with everything at once.

graphql-core's `execute` refuses a schema that has `@defer`, and its incremental executor defers whenever the document
says so, while here the client must also accept parts. So there are two executors: the first makes at most `PARTS`
parts and includes the rest at once, the second makes none.
"""

from collections.abc import Sequence
from typing import Any

from graphql.execution.incremental.incremental_executor import DeliveryGroupMap
from graphql.pyutils import AwaitableOrValue
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

PARTS = 1000
"""Deferred parts of a response. Each takes some kilobytes and a task, and each row of a list may have up to thirty."""


class InParts(StrawberryGraphQLCoreExecutionContext):
    """Defers. Its executors for parts are copies of it, which share the counter `begun`."""

    most = 2 * PARTS  # each part counts twice: when its fragment is found, and when it is to be executed

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.begun = [0]

    def execute_collected_root_fields(
        self,
        root_type: Any,
        root_value: Any,
        grouped_field_set: Any,
        serially: bool,
        new_defer_usages: Sequence[Any],
    ) -> AwaitableOrValue[dict[str, Any]]:
        if self._enough(new_defer_usages):
            new_defer_usages = ()
        return super().execute_collected_root_fields(
            root_type, root_value, grouped_field_set, serially, new_defer_usages
        )

    def execute_collected_subfields(
        self,
        parent_type: Any,
        source_value: Any,
        path: Any,
        grouped_field_set: Any,
        new_defer_usages: Sequence[Any],
        delivery_group_map: DeliveryGroupMap | None,
    ) -> AwaitableOrValue[dict[str, Any]]:
        # A fragment deferred further up may have fields here too: without its map they are executed at once.
        if self._enough(new_defer_usages):
            new_defer_usages, delivery_group_map = (), None
        return super().execute_collected_subfields(
            parent_type, source_value, path, grouped_field_set, new_defer_usages, delivery_group_map
        )

    def collect_execution_groups(
        self,
        parent_type: Any,
        source_value: Any,
        path: Any,
        new_grouped_field_sets: Any,
        delivery_group_map: DeliveryGroupMap,
    ) -> None:
        self.begun[0] += len(new_grouped_field_sets)
        super().collect_execution_groups(
            parent_type, source_value, path, new_grouped_field_sets, delivery_group_map
        )

    def _enough(self, more: Sequence[Any]) -> bool:
        """Returns whether these parts are too many. Then they, and all later ones, are executed at once."""
        if self.begun[0] >= self.most:
            return True
        self.begun[0] += len(more)
        return False


class AtOnce(InParts):
    """Defers nothing: for clients that don't accept parts, for mutations and for subscriptions."""

    most = 0
