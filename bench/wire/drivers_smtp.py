"""The SMTP driver alone against postfix's smtp-sink: a loop of aiosmtplib's and nodemailer's pool beside it.

`python -m bench.wire.drivers_smtp [--messages 4000] [--rounds 3]`. All have 8 connections. Each is a process of its
own.
"""

import argparse
import os
import socket
import subprocess
import time
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from uuid import uuid4

import aiosmtplib
import uvloop

from bench.wire import drivers
from channels import connect
from channels.port import Outgoing, Result

CONNECTIONS = 8
SUBJECT = "Your order has left our warehouse"
SINK = Path("/usr/sbin/smtp-sink")
GOALS = {"aiosmtplib, email package": 1.0, "nodemailer": 1.5}


def body(number: int) -> str:
    return (
        f"Hello Anna,\n\nyour order {number} has left our warehouse.\n"
        "It should arrive within three days.\n\nYour shop\n"
    )


async def postern(port: int, count: int) -> None:
    channel = connect(
        "email", f"smtp://127.0.0.1:{port}?from=Postern%20%3Cnews@example.com%3E&pool={CONNECTIONS}"
    )
    await channel.open(drivers.no_events)

    async def send(number: int) -> None:
        id = uuid4()
        message = Outgoing(id, str(id), f"anna{number}@example.com", body(number), subject=SUBJECT)
        [outcome] = await channel.send([message])
        assert outcome.result is Result.sent, outcome

    await drivers.measured(send, count, CONNECTIONS)
    await channel.close()


async def library(port: int, count: int, *, composed: bool) -> None:
    """`composed`: every message is composed by Python's email package; otherwise the same octets are sent again."""
    clients = [aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False) for _ in range(CONNECTIONS)]
    for client in clients:
        await client.connect()

    async def send(number: int) -> None:
        client = clients.pop()
        to = f"anna{number}@example.com"
        if composed:
            await client.send_message(mail(number, to))
        else:
            await client.sendmail("news@example.com", to, ready)
        clients.append(client)

    ready = mail(0, "anna0@example.com").as_bytes()
    await drivers.measured(send, count, CONNECTIONS)
    for client in clients:
        await client.quit()


def mail(number: int, to: str) -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Postern <news@example.com>"
    made["To"] = to
    made["Subject"] = SUBJECT
    made["Message-ID"] = f"<{uuid4()}@example.com>"
    made.set_content(body(number))
    return made


ROLES = {
    "postern": postern,
    "composed": partial(library, composed=True),
    "ready": partial(library, composed=False),
}


def main(count: int, rounds: int) -> None:
    if not os.access(SINK, os.X_OK):
        print("not run: smtp-sink is not installed here (it is a part of postfix)")
        return
    port = drivers.free_port()
    user = ["-u", "nobody"] if os.geteuid() == 0 else []
    with subprocess.Popen([str(SINK), *user, f"127.0.0.1:{port}", "1000"]) as sink:
        try:
            _wait_for(port)
            own = partial(drivers.role, "bench.wire.drivers_smtp")
            others = {
                "aiosmtplib, email package": lambda: own("composed", port, count),
                "aiosmtplib, the same octets again": lambda: own("ready", port, count),
                "nodemailer": lambda: drivers.node("mail_client.js", port, count, CONNECTIONS, body(0)),
            }
            drivers.contest(own("postern", port, count), others, GOALS, rounds)
        finally:
            sink.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("smtp-sink did not start")


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.wire.drivers_smtp")
    parse.add_argument("--messages", type=int, default=4000)
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--role", nargs=3, help=argparse.SUPPRESS)
    arguments = parse.parse_args()
    if arguments.role:
        uvloop.run(ROLES[arguments.role[0]](*map(int, arguments.role[1:])))
    else:
        main(arguments.messages, arguments.rounds)
