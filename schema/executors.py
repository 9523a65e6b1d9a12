"""graphql-core's executor, as the door has it: a query's deferred parts later, or everything at once.

graphql-core's own `execute` refuses a schema that knows `@defer`, and with its incremental executor it depends on the
document alone whether there are parts; here the client has a say. So there are two executors: the first makes at most
`PARTS` parts and answers the rest at once, the second is the same with none.
"""

from collections.abc import Sequence
from typing import Any

from graphql.execution.incremental.incremental_executor import DeliveryGroupMap
from graphql.pyutils import AwaitableOrValue
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

PARTS = 1000
"""Later parts of one answer. Each costs some kilobytes and a task, and a list may have one, or thirty, for each row."""


class InParts(StrawberryGraphQLCoreExecutionContext):
    """Its executors for parts are copies of it, so that they share what is counted."""

    most = 2 * PARTS  # each is counted when its fragment is met, and as what is then to be executed

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
        # A fragment that is deferred further up may have fields here too: then without its map they are not deferred.
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
        """Whether what is here is answered at once; and from then on everything is."""
        if self.begun[0] >= self.most:
            return True
        self.begun[0] += len(more)
        return False


class AtOnce(InParts):
    """For who doesn't take parts, for mutations and for subscriptions."""

    most = 0
