-- Returns the terms of a date's day for the days from `first` to `last`, in any year. 29 February is asked for
-- beside 28 February in common years.
CREATE OR REPLACE FUNCTION postern_contact_days(owner uuid, key text, first date, last date) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT hashtextextended(owner::text || '|' || key || '#' || d.day, 0) FROM (
    SELECT to_char(first + n, 'MM-DD') AS day FROM generate_series(0, last - first) AS n
    UNION SELECT '02-29' FROM generate_series(0, last - first) AS n
      WHERE to_char(first + n, 'MM-DD') = '02-28' AND to_char(first + n + 1, 'MM-DD') = '03-01'
  ) AS d
);
