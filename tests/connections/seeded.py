"""Parts of the rows and filters of large lists."""

from typing import Any

SINCE, LONG_AGO, NEVER = "2020-01-01T00:00:00Z", "2010-06-01T00:00:00Z", "2100-01-01T00:00:00Z"
# Row 1 is the oldest. Times lie 30 s apart, and the first 40 rows in 2010. $1 is the number of rows.
AT = "CASE WHEN i <= 40 THEN timestamptz '2010-01-01' ELSE now() - ($1::int - i) * interval '30 seconds' END"
ID = f"""(lpad(to_hex((extract(epoch FROM {AT}) * 1000)::int8), 12, '0') || '7'
  || lpad(to_hex(i & 4095), 3, '0') || '8' || substr(md5(i::text), 1, 15))::uuid"""
TO = "'+1415' || lpad((i % 100000)::text, 7, '0')"


def times(column: str) -> list[dict[str, Any]]:
    spans = [{"lt": LONG_AGO}, {"lte": LONG_AGO}, {"gte": SINCE}, {"gt": NEVER}]
    return [{column: span} for span in spans]


def each(column: str, *values: Any) -> list[dict[str, Any]]:
    return [{column: {"eq": value}} for value in values]


FAR = "+14150000021"
