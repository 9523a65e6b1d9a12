"""recipients: contract §3."""

from rest.routing import router

api = router("recipients")
