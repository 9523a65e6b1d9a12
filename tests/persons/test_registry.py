"""Every table is in the registry of people, or says why it has nothing of one."""

from db.models import Base
from engine.persons.registry import ALL
from engine.persons.untouched import UNTOUCHED
from runtime.services import Services


def test_every_table_is_in_the_registry_or_says_why_not():
    erased, tables = {rows.table for rows in ALL}, {*Base.metadata.tables}
    assert not erased & {*UNTOUCHED}
    missing = tables - erased - {*UNTOUCHED}
    assert not missing, f"add to engine/persons/registry.py or untouched.py: {sorted(missing)}"
    assert not (erased | {*UNTOUCHED}) - tables
    assert all(UNTOUCHED.values())


def test_columns_that_tell_who_somebody_is_are_in_the_registry():
    """A table with such a column is erased, unless it is named here on purpose."""
    names = {"address", "address_key", "phone", "to", "recipient", "variables"}
    # Lines of invoices lose their phones when they are compared.
    own = {"messenger_accounts", "erasure_addresses", "brands", "provider_invoice_lines"}
    tables = {
        name
        for name, table in Base.metadata.tables.items()
        if names & {column.name for column in table.columns}
    }
    assert tables - own <= {rows.table for rows in ALL}


async def test_each_statement_is_one_that_postgresql_takes(services: Services):
    async with services.db.reading() as db:
        for rows in ALL:
            await db.prepare(rows.selection)
            if rows.by is None and rows.where != "false":
                await db.prepare(rows.page)
