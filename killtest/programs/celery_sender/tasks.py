"""The task of a Celery sender, by Celery's documentation: it tries again automatically, with a growing pause."""

import os
import smtplib
from email.message import EmailMessage

from celery import Celery

_LATE = os.environ["KILLTEST_LATE"] == "1"

app = Celery("tasks", broker=os.environ["KILLTEST_REDIS"], backend=os.environ["KILLTEST_REDIS"])
app.conf.update(
    task_acks_late=_LATE,
    task_reject_on_worker_lost=_LATE,
    worker_prefetch_multiplier=1 if _LATE else 4,
    task_track_started=True,
    broker_connection_retry_on_startup=True,
)
if _LATE:
    app.conf.broker_transport_options = {"visibility_timeout": 30}


class Refused(Exception):
    """The server will never take the message."""


@app.task(
    name="send",
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors
    retry_backoff=2,
    retry_backoff_max=20,
    max_retries=12,
)
def send(to):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "sender@example.net", to, "Hello"
    mail.set_content("Hello")
    with smtplib.SMTP("127.0.0.1", int(os.environ["KILLTEST_PROVIDER_PORT"]), timeout=30) as client:
        try:
            client.send_message(mail)
        except smtplib.SMTPResponseException as error:
            if error.smtp_code >= 500:
                raise Refused(str(error.smtp_error)) from error
            raise
