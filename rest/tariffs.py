"""tariffs: contract §3."""

from rest.routing import router

api = router("tariffs", prefix="/user/tariff")
