"""source accounts: contract §3."""

from rest.routing import router

api = router("source accounts", prefix="/account")
