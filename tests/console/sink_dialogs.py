"""The dialogs and the menu of the page of event sinks, which need a broker."""

from tests.console.dialogs import MENU, State, icon

_SINKS, _PATH = "features/eventSinks", "/event-sinks"
_MENU = icon("dots")
_ITEM = "[role=menu] button:has(.tabler-icon-{})"

OF_SINKS = [
    State("sink-menu", f"{_SINKS}/SinkMenu.tsx", _PATH, (_MENU,), MENU),
    State("new-sink", f"{_SINKS}/SinkDialog.tsx", f"{_PATH}?add=1"),
    State("edit-sink", f"{_SINKS}/SinkDialog.tsx", _PATH, (_MENU, _ITEM.format("pencil"))),
    State("sink-tested", f"{_SINKS}/TestedDialog.tsx", _PATH, (_MENU, _ITEM.format("send"))),
    State("sink-replay", f"{_SINKS}/ReplayDialog.tsx", _PATH, (_MENU, _ITEM.format("repeat"))),
    State("sink-off", f"{_SINKS}/SinkDialogs.tsx", _PATH, (_MENU, _ITEM.format("player-stop"))),
    State("sink-delete", f"{_SINKS}/SinkDialogs.tsx", _PATH, (_MENU, _ITEM.format("trash"))),
]
