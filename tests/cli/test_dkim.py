"""`postern dkim`: an operator makes a key, has it sign, and deletes it."""

import re

import asyncpg


async def test_an_operator_makes_a_key(postern, database):
    made = postern("dkim", "create", "Example.com.")
    assert made.returncode == 0, made.stderr
    name, value = re.findall(r"(?m)^  (?:name|value) +(.+)$", made.stdout)
    selector = name.removesuffix("._domainkey.example.com")
    assert re.fullmatch(r"postern-\d{8}-[a-z2-9]{4}", selector)
    assert value.startswith("v=DKIM1; k=rsa; p=MII")
    assert "PRIVATE" not in made.stdout
    done = postern("dkim", "activate", "example.com", selector)
    assert done.returncode == 0, done.stderr
    assert "active since" in postern("dkim", "list").stdout
    assert postern("dkim", "delete", "example.com", selector).returncode == 0
    again = postern("dkim", "delete", "example.com", selector)
    assert (again.returncode, again.stderr) == (
        1,
        f"postern: There is no key {selector} of example.com. List them with: postern dkim list\n",
    )
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch("SELECT operation, changes FROM audit_entries ORDER BY id")
    finally:
        await connection.close()
    assert [row["operation"] for row in rows] == ["cli.dkim.create", "cli.dkim.activate", "cli.dkim.delete"]
    assert '"keyEncrypted": [null, "***"]' in rows[0]["changes"]
