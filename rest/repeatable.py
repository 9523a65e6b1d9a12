"""repeatable projects: contract §3."""

from rest.routing import router

api = router("repeatable projects", prefix="/repeatable-sending-project")
