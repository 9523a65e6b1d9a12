"""The baseline of mail: a loop of aiosmtplib's over some connections, a plain message each.

`python -m bench.wire.bare_smtp PORT COUNT CONNECTIONS` sends a tenth of COUNT to warm up, then COUNT messages, and
prints JSON: `messages`, `seconds`, and `cpu` (processor seconds of this process), both without the start and the
warm-up.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage

import aiosmtplib

from bench.wire.samples import SUBJECT, rendered


def mail(number: int) -> EmailMessage:
    made = EmailMessage()
    made["From"] = "news@example.com"
    made["To"] = f"anna{number}@example.com"
    made["Subject"] = SUBJECT
    made["Message-ID"] = f"<{number}.{time.time_ns()}@example.com>"
    made.set_content(rendered(number))
    return made


async def send(clients: list[aiosmtplib.SMTP], count: int) -> None:
    numbers = iter(range(count))

    async def one_connection(client: aiosmtplib.SMTP, numbers: Iterator[int]) -> None:
        for number in numbers:
            await client.send_message(mail(number))

    await asyncio.gather(*(one_connection(client, numbers) for client in clients))


async def main(port: int, count: int, connections: int) -> None:
    clients = [aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False) for _ in range(connections)]
    for client in clients:
        await client.connect()
    await send(clients, -(-count // 10))
    begun, worked = time.perf_counter(), time.process_time()
    await send(clients, count)
    report = {
        "messages": count,
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - worked,
    }
    print(json.dumps(report))
    for client in clients:
        await client.quit()


if __name__ == "__main__":
    asyncio.run(main(*(int(word) for word in sys.argv[1:4])))
