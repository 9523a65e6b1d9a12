"""Lists: a feature states its list once, as a `Listing`, and both doors read it.

    _LISTS = Listing(models.BlockedPhone, filters={("text", "contains"): …})

A Listing has the columns that are read, the orders with their default, and the named filters. It is read in five ways:

    numbered   a page by its number, with the number of all rows: a list in REST (`count`: the number alone)
    page       a page by cursor: a connection in GraphQL
    pages      a page by cursor for each of many parents, in one statement: a relation in GraphQL
    merged     a page by cursor of the rows of many parents together, read from the index of each parent
    by_ids     rows by their ids

A filter is (name, comparison) → value, as in `{("status", "eq"): "queued"}`; `conditions` omits those without a value.
`scope` are further conditions, above all the owner's, whose parameters are keyword arguments. A statement is compiled
once for each combination of columns, filters, order and scope, and then found by them. So `scope` must consist of
expressions that exist once in the process, not of expressions made for each call.

    definition.py   what a list is         filters.py   conditions and their SQL     page.py     arguments and results
    statements.py   SQL, compiled once     cursor.py    cursors as text              listing.py  the five ways to read
"""

from db.lists.definition import RangeCondition, by_values
from db.lists.filters import Conditions, conditions
from db.lists.listing import Listing
from db.lists.page import MOST_COUNTED, MOST_COUNTED_EACH, Counting, CursorPage, PageArgs, in_bounds
from db.lists.statements import Belonging

__all__ = [
    "MOST_COUNTED",
    "MOST_COUNTED_EACH",
    "Belonging",
    "Conditions",
    "Counting",
    "CursorPage",
    "Listing",
    "PageArgs",
    "RangeCondition",
    "by_values",
    "conditions",
    "in_bounds",
]
