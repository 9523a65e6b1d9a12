"""projects: contract §3."""

from rest.routing import router

api = router("projects", prefix="/sending-project")
