"""imports: contract §3."""

from rest.routing import router

api = router("imports", prefix="/recipient-import")
