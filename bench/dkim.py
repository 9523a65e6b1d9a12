"""The price of a DKIM signature: mails composed with and without one, by turns, in one run.

`.venv/bin/python -m bench.dkim` prints the processor time of a mail, and the ratio of both.
"""

import time
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

from channels.mailbox import Mailbox
from channels.port import MailSigner, Outgoing
from channels.smtp.mail import Composer

ROUNDS, MAILS = 7, 300
BODY = "Hello, this is a text of an ordinary length. " * 40


def spent(composer: Composer, *signers: MailSigner) -> float:
    """Returns the processor time of a mail in milliseconds."""
    begun = time.process_time()
    for number in range(MAILS):
        id = uuid4()
        mail = composer.compose(
            Outgoing(
                id=id, key=str(id), to=f"anna{number}@example.com", body=BODY, subject="News", html=f"<p>{BODY}</p>",
                signers=lambda _: signers,
            )
        )  # fmt: skip
        mail.signed()
    return (time.process_time() - begun) * 1000 / MAILS


def main() -> None:
    composer = Composer(Mailbox.parse("news@example.com"))
    keys = {
        "unsigned": (),
        "rsa": (MailSigner("example.com", "one", rsa.generate_private_key(65537, 2048)),),
        "ed25519": (MailSigner("example.com", "two", ed25519.Ed25519PrivateKey.generate()),),
    }
    best = dict.fromkeys(keys, float("inf"))
    for _ in range(ROUNDS):
        for name, signers in keys.items():
            best[name] = min(best[name], spent(composer, *signers))
    for name, milliseconds in best.items():
        print(f"{name:<9} {milliseconds:.3f} ms a mail, {milliseconds / best['unsigned']:.1f} of unsigned")


if __name__ == "__main__":
    main()
