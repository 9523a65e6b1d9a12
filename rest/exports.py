"""exports: contract §3."""

from rest.routing import router

api = router("exports", prefix="/export-link")
