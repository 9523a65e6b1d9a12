"""`postern verify` and `postern signing-key`: the check of signed documents, and the keys that sign them."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from engine.reconciliations.verifying import Trust, Verified
    from runtime.services import Services

app = typer.Typer(no_args_is_help=True, help="Keys that sign reconciliations and statements.")


def verify(
    files: Annotated[
        list[str],
        typer.Argument(
            help="answers of …/reconciliation or …/statements/2026-10; several: a chain; -: stdin"
        ),
    ],
    lines: Annotated[
        list[str] | None, typer.Option(help="a file of …/reconciliation/lines; may be repeated")
    ] = None,
    proof: Annotated[
        str | None, typer.Option(help="a file of …/reconciliation/proof, about the last document")
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(
            help="a copy of /.well-known/jwks.json that you trust; else the key inside the file counts"
        ),
    ] = None,
    fingerprint: Annotated[str | None, typer.Option(help="the id of the only key that you trust")] = None,
) -> None:
    """Checks signed reconciliations and statements: signature, sums, chain. It needs no database and no network."""
    from engine.reconciliations.verifying import Refused, Trust, read_keys

    if [*files, *(lines or ()), proof, keys].count("-") > 1:
        raise typer.BadParameter("only one file can be -")
    try:
        trust = Trust(None if keys is None else read_keys(_bytes(keys)), fingerprint)
        sentences = [*_checked(files, lines or (), proof, trust)]
    except Refused as error:
        typer.echo(f"✗ {error}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        typer.echo(f"✗ {error.filename}: {error.strerror}", err=True)
        raise typer.Exit(2) from None
    for sentence in sentences:
        typer.echo(sentence)


def _checked(files: Sequence[str], lines: Sequence[str], proof: str | None, trust: "Trust") -> Iterator[str]:
    """Yields a sentence for each check that holds. Raises Refused."""
    from engine.reconciliations import verifying
    from engine.reconciliations.verifying import Refused
    from engine.statements.form import FORM

    forms = (verifying.RECONCILIATION, FORM)
    documents = []
    for file in files:
        try:
            documents.append(verifying.verify_document(_bytes(file), trust, forms))
        except Refused as error:
            raise Refused(f"{file}: {error}.") from error
    chain = verifying.verify_chain(documents)
    is_statement = chain[0].form.about == "account"
    if is_statement and (lines or proof is not None):
        raise Refused("a statement has all of its lines inside: leave --lines and --proof out.")
    for each in chain:
        yield from _of_statement(each) if is_statement else _sentences(each)
    if len(chain) > 1:
        yield f"✓ the chain from number {chain[0].document['number']} to {chain[-1].document['number']} is whole"
    for file in lines:
        yield _with_lines(file, chain)
    if proof is not None:
        state = verifying.verify_proof(_bytes(proof), chain[-1].document)
        yield (
            f"✓ {proof}: its line is in the document"
            if state == "present"
            else f"! {proof}: an erased line of the document may be this person's; nobody can tell"
        )
    if not trust.is_set:
        yield (
            "! The key came with the file. Compare it with one that you got another way: --keys or --fingerprint"
            f" {chain[0].kid}"
        )


def _sentences(verified: "Verified") -> Iterator[str]:
    document = verified.document
    counts, money = document["counts"], document["money"]
    name = f"number {document['number']} of the project {document['project']['uuid']}"
    yield f"✓ {name} is signed by the key {verified.kid}"
    yield (
        f"✓ {counts['materialised']} materialised = {counts['sent']['total']} sent + {counts['skipped']['total']}"
        f" skipped + {counts['failed']['total']} failed + {counts['unknown']['total']} unknown +"
        f" {counts['canceled']['total']} canceled"
        if document["state"] == "balanced"
        else f"! {name} is open: it says itself that it does not add up"
    )
    for each in document["differences"]:
        yield f"!   {each['what']}: counted {each['counted']}, recorded {each['recorded']}"
    amounts = f"{money['charged']} charged - {money['refunded']} refunded, {money['prices']} of prices"
    yield f"  {amounts}, in {money['currency']}"


def _of_statement(verified: "Verified") -> Iterator[str]:
    document = verified.document
    balance, account = document["balance"], document["account"]
    name = f"{document['month']}, number {document['number']} of the account {account['uuid']}"
    yield f"✓ {name} is signed by the key {verified.kid}"
    late = "" if balance["late"] == "0" else f" + {balance['late']} late"
    yield (
        f"✓ {balance['opening']} + {balance['net']}{late} = {balance['closing']} {account['currency']},"
        f" in {len(document['lines'])} lines"
        if document["state"] == "balanced"
        else f"! {name} is open: it says itself that it does not add up"
    )
    for each in document["differences"]:
        yield f"!   {each['what']}: counted {each['counted']}, recorded {each['recorded']}"


def _with_lines(file: str, chain: "Sequence[Verified]") -> str:
    from engine.reconciliations import verifying
    from engine.reconciliations.verifying import Refused

    try:
        if file == "-":
            checked = verifying.read_lines(sys.stdin.buffer)
        else:
            with Path(file).open("rb") as stream:
                checked = verifying.read_lines(stream)
        about = [each for each in chain if each.document["lines"]["root"] == checked.root.hex()] or chain[-1:]
        verifying.verify_lines(about[0].document, checked)
    except Refused as error:
        raise Refused(f"{file}: {error}.") from error
    erased = f", {checked.erased} of them erased" if checked.erased else ""
    number = about[0].document["number"]
    return f"✓ {file}: {checked.count} lines{erased}, with the root and the sums of number {number}"


def _bytes(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


@app.command("rotate")
def rotate(
    now: Annotated[bool, typer.Option("--now", help="signs at once, and not a day later")] = False,
) -> None:
    """Makes the next key. It is published at once, and signs in a day; the keys before stay published."""
    from postern.command import with_services

    kid = with_services(lambda opened: _rotate(opened, at_once=now))
    typer.echo(f"{kid}  signs {'from now on' if now else 'in a day'}")


@app.command("list")
def list_keys() -> None:
    """Prints the ids of the keys, the oldest first. An id is the fingerprint that `postern verify` compares."""
    from engine.reconciliations import signing_keys
    from postern.command import with_services

    rows: Sequence[Any] = with_services(lambda opened: signing_keys.all_keys(opened.db))
    for row in rows:
        typer.echo(f"{row['kid']}  signs from {row['signs_from']:%Y-%m-%d %H:%M}Z on")
    if not rows:
        typer.echo("There are no keys: the first reconciliation or statement makes one.")


async def _rotate(services: "Services", *, at_once: bool) -> str:
    from engine.reconciliations import signing_keys
    from postern.operator import audited

    async with audited(services, "signing_key.rotate"), services.db.transaction() as connection:
        return await signing_keys.rotate(connection, services.vault, at_once=at_once)
