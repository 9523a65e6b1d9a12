"""test sending: contract §3."""

from rest.routing import router

api = router("test sending")
