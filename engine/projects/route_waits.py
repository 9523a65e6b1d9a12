"""The routes of a batch's messages by the rules; messages without a route wait in batches of their own, and others go
on.
"""

from engine.projects.context import ProjectContext
from engine.projects.items import NotHandedOver, PreparedBatch
from engine.sms.route_rules import NO_ROUTE, NO_ROUTE_REASON, NO_ROUTE_SECONDS, orders_of, routing_of
from runtime.services import Services


async def find_routes(services: Services, project: ProjectContext, parts: PreparedBatch) -> None:
    """Sets the routes of the ready messages in `parts.orders`. Those that have none wait."""
    whose = project.row["category"], project.row["owner_id"]
    order = await routing_of(services).order(project.channel, lambda _: whose)
    if order is None:
        return
    parts.orders = orders_of(parts.ready, order)
    waiting = {id for id, routes in parts.orders.items() if not routes}
    parts.limited += [
        (NO_ROUTE_SECONDS, NotHandedOver(id, "queued", NO_ROUTE, NO_ROUTE_REASON)) for id in waiting
    ]
    parts.ready = [item for item in parts.ready if item.id not in waiting]
