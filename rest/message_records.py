"""messages of projects: contract §3."""

from rest.routing import router

api = router("messages of projects")
