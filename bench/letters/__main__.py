"""Sends twenty letters of the console's builder through readers of emails and linters of their HTML.

`make letters` needs npm, and a network once. The ten starter letters in two languages are exported as the console does,
rendered by the service's Liquid, composed and signed as it sends them. Python's `email` and dkimpy read them here;
`check.mjs` has npm's mailparser, htmlhint, html-validate and caniemail. It prints what they object to, and fails then.
"""

import base64
import email
import email.policy
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import dkim
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from channels.mailbox import Mailbox
from channels.port import MailSigner, Outgoing
from channels.smtp.mail import Composer
from engine.texts.liquid_rules import HTML, parse, run

HERE = Path(__file__).parent
CONSOLE = HERE.parents[1] / "console"
GMAIL_CUTS = 102 * 1024
LINK = "https://postern.example.com/u/0190a2345678"


def letters(folder: Path) -> list[dict[str, Any]]:
    """Returns the letters as the builder exports them."""
    bundle = folder / "letters.mjs"
    rolldown = CONSOLE / "node_modules" / ".bin" / "rolldown"
    subprocess.run(
        [rolldown, HERE / "letters.ts", "--file", bundle, "--format", "esm", "--platform", "node"],
        check=True,
        cwd=CONSOLE,
        stdout=subprocess.DEVNULL,
    )
    made = subprocess.run(["node", bundle], check=True, capture_output=True)
    return list(json.loads(made.stdout))


def composed(letter: dict[str, Any], composer: Composer, signer: MailSigner) -> tuple[bytes, str]:
    """Returns the email of a letter as it leaves, and the HTML in it."""
    values = letter["testData"] | {"unsubscribe_url": LINK}
    subject, text = (run(parse(letter[part]), values) for part in ("subject", "text"))
    html = run(parse(letter["html"], HTML), values)
    id = uuid4()
    mail = composer.compose(
        Outgoing(
            id=id,
            key=str(id),
            to="ada@example.net",
            body=text,
            subject=subject,
            html=html,
            headers={"List-Unsubscribe": f"<{LINK}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
            signers=lambda _: [signer],
        )
    ).signed()
    return mail.content.replace(b"\r\n..", b"\r\n."), html


def objections(content: bytes, html: str, record: bytes) -> list[str]:
    """Returns what Python's `email` and dkimpy object to."""
    mail = email.message_from_bytes(content, policy=email.policy.default)
    errors = [f"email: {defect!r}" for part in mail.walk() for defect in part.defects]
    errors += [f"email: {defect!r}" for field in mail.values() for defect in getattr(field, "defects", ())]
    read = mail.get_body(("html",))
    if read is None or read.get_content().split() != html.split():
        errors.append("email: the HTML is not what was composed")
    if mail.get_body(("plain",)) is None or not mail["subject"]:
        errors.append("email: it has no text or no subject")
    if not dkim.verify(content, dnsfunc=lambda *_, **__: record):
        errors.append("dkimpy: the signature does not fit")
    if len(html.encode()) > GMAIL_CUTS:
        errors.append("Gmail cuts it off")
    if "{{" in html or "{%" in html:
        errors.append("Liquid is left in it")
    return errors


def main() -> int:
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    key = rsa.generate_private_key(65537, 2048)
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
    composer, signer = (
        Composer(Mailbox.parse("Example <news@example.com>")),
        MailSigner("example.com", "one", key),
    )
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        all_letters = letters(folder)
        for letter in all_letters:
            content, html = composed(letter, composer, signer)
            title = f"{letter['name']}-{letter['locale']}"
            folder.joinpath(f"{title}.eml").write_bytes(content)
            folder.joinpath(f"{title}.html").write_text(html)
            sentences = objections(content, html, record)
            failures += len(sentences)
            print(
                f"{title:<16} {len(html.encode()):>6} bytes of HTML  {'; '.join(sentences) or 'no objection'}"
            )
        print(f"{len(all_letters)} letters; {failures} errors of Python's email and dkimpy")
        checked = subprocess.run(["node", HERE / "check.mjs", folder], check=False)
    return 1 if failures or checked.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
