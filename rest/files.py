"""files: contract §3."""

from rest.routing import router

api = router("files", prefix="/file-uploader")
