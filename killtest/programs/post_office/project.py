"""A Django project with django-post-office: `project.py migrate`, `project.py send_queued_mail`, `project.py web PORT`.

`POST /send?to=…` calls `mail.send`, and `GET /states` shows what post_office says of each mail.
"""

import json
import os
import sys
from datetime import timedelta
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(
    SECRET_KEY="killtest",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "post_office"],
    TEMPLATES=[
        {"BACKEND": "django.template.backends.django.DjangoTemplates"},
        {
            "BACKEND": "post_office.template.backends.post_office.PostOfficeTemplates",
            "APP_DIRS": True,
            "NAME": "post_office",
        },
    ],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "killtest",
            "USER": "killtest",
            "HOST": "127.0.0.1",
            "PORT": os.environ["KILLTEST_DATABASE_PORT"],
        }
    },
    EMAIL_BACKEND="post_office.EmailBackend",
    EMAIL_HOST="127.0.0.1",
    EMAIL_PORT=int(os.environ["KILLTEST_PROVIDER_PORT"]),
    EMAIL_TIMEOUT=30,
    DEFAULT_FROM_EMAIL="sender@example.net",
    POST_OFFICE={
        "BACKENDS": {"default": "django.core.mail.backends.smtp.EmailBackend"},
        "MAX_RETRIES": 24,
        "RETRY_INTERVAL": timedelta(seconds=5),
        "MESSAGE_ID_ENABLED": True,
        "MESSAGE_ID_FQDN": "example.net",
    },
)
django.setup()

from post_office import mail  # noqa: E402 - Django must be set up before
from post_office.models import STATUS, Email  # noqa: E402

_STATES = {STATUS.sent: "sent", STATUS.failed: "failed"}


def send(request):
    mail.send(request.GET["to"], subject="Hello", message="Hello")
    return HttpResponse(status=202)


def states(request):
    rows = [(email.to[0], _STATES.get(email.status, "waiting")) for email in Email.objects.all()]
    return HttpResponse(json.dumps(rows), content_type="application/json")


urlpatterns = [path("send", send), path("states", states)]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    if sys.argv[1] == "web":
        make_server(
            "127.0.0.1", int(sys.argv[2]), get_wsgi_application(), Server, WSGIRequestHandler
        ).serve_forever()
    else:
        execute_from_command_line(sys.argv)
