"""The cases of event sinks, as tests/doors/case.py describes them.

A sink needs a broker, and no broker is allowed here: tests/event_sinks asks for sinks that exist, also as another user.
"""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest

_ID = {"id": UNKNOWN}
_NONE = "event_sink_not_found"
# An address that the outbound guard refuses.
_SINK = {"name": "Warehouse", "url": "nats://10.0.0.1:4222", "stream": "POSTERN"}
_SINCE = "2126-01-01T00:00:00Z"

CASES: dict[str, Case] = {
    "event_sinks.page": Case(
        "own",
        Rest("GET", "/event-sinks"),
        "{eventSinks{nodes{uuid name kind url stream subject types enabled owner{uuid}}}}",
    ),
    "event_sinks.statuses": Case(
        "own", None, "{eventSinks{nodes{status{lag ratePerSecond published missed replaying}}}}", why=RELATION
    ),
    "event_sinks.get": Case(
        "row",
        Rest("GET", f"/event-sinks/{UNKNOWN}", status=404),
        "query($id:ID!){eventSink(id:$id){uuid name}}",
        _ID,
        owner=_NONE,
    ),
    "event_sinks.status": Case(
        "row",
        Rest("GET", f"/event-sinks/{UNKNOWN}/status", status=404),
        None,
        owner=_NONE,
        why="GraphQL has it as a relation of the sink",
    ),
    "event_sinks.create": Case(
        "own",
        Rest("POST", "/event-sinks", _SINK, 400),
        "mutation($i:NewEventSink!){createEventSink(input:$i){uuid}}",
        {"i": _SINK},
        owner="sink_url_refused",
    ),
    "event_sinks.update": Case(
        "row",
        Rest("PATCH", f"/event-sinks/{UNKNOWN}", {"enabled": True}, 404),
        "mutation($id:ID!){updateEventSink(id:$id,input:{enabled:true}){uuid enabled}}",
        _ID,
        owner=_NONE,
    ),
    "event_sinks.delete": Case(
        "row",
        Rest("DELETE", f"/event-sinks/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteEventSink(id:$id)}",
        _ID,
        owner=_NONE,
    ),
    "event_sinks.test": Case(
        "row",
        Rest("POST", f"/event-sinks/{UNKNOWN}/test", status=404),
        "mutation($id:ID!){testEventSink(id:$id){acknowledged error code subject sequence seconds}}",
        _ID,
        owner=_NONE,
    ),
    "event_sinks.replay": Case(
        "row",
        Rest("POST", f"/event-sinks/{UNKNOWN}/replay", {"since": _SINCE}, 404),
        f'mutation($id:ID!){{replayEventSink(id:$id,input:{{since:"{_SINCE}"}})}}',
        _ID,
        owner=_NONE,
    ),
}
