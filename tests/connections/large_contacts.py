"""Very many contacts of one owner, and every filter of them: as tests/connections/large.py has them of other lists."""

from typing import Any

from tests.connections.seeded import AT, FAR, ID, TO, each, times

RARE, OFTEN = "01890000-0000-7000-8000-00000000000a", "01890000-0000-7000-8000-00000000000b"  # topics
_TOPIC = f"CASE WHEN i <= 4 THEN '{RARE}'::uuid ELSE '{OFTEN}'::uuid END"

SEEDS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "contact_fields": (
        """INSERT INTO contact_fields (id, owner_id, key, type)
        SELECT gen_random_uuid(), $2, f.key, f.type FROM
          (VALUES ('city', 'text'), ('born', 'date'), ('points', 'number')) AS f (key, type),
          generate_series(1, LEAST($1::int, 1))""",
        10,
        ("owner",),
    ),
    "contacts": (
        f"""INSERT INTO contacts (id, owner_id, external_id, name, locale, fields, created_at)
        SELECT {ID}, $2, i::text, CASE WHEN i <= 4 THEN 'Rare' ELSE 'Often' END || ' Name',
          CASE WHEN i <= 4 THEN 'fr' ELSE 'de' END, jsonb_build_object(
            'city', CASE WHEN i <= 4 THEN 'Rome' ELSE 'Berlin' END, 'born', '1990-01-0' || (1 + i % 9), 'points', i),
          {AT} FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
    "topic_subscriptions": (
        f"""WITH topics AS (
          INSERT INTO topics (id, owner_id, key, name)
          VALUES ('{RARE}', $2, 'rare', 'x'), ('{OFTEN}', $2, 'often', 'x'))
        INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
        SELECT {ID}, $2, {ID}, {_TOPIC}, 'sms', 'active' FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
    "consent_entries": (
        f"""INSERT INTO consent_entries (id, owner_id, contact_id, topic_id, channel, action, source, created_at)
        SELECT {ID}, $2, {ID}, {_TOPIC}, 'sms', 'recorded', 'api', {AT} FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
    "contact_addresses": (
        f"""INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address)
        SELECT {ID}, $2, {ID}, CASE WHEN i <= 4 THEN 'push' ELSE 'sms' END, {TO}
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
}
CASES: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
    "subscriptions": (
        "found:topicSubscriptions(where:$w){…}",
        "TopicSubscriptionWhere",
        [
            {},
            *each("id", "{of_contacts}", "{nobody}"),
            *each("ownerId", "{owner}"),
            *each("contactId", "{of_contacts}", "{nobody}"),
            *each("topicId", RARE, OFTEN, "{nobody}"),
            *each("channel", "sms", "email"),
            *each("state", "active", "pending"),
        ],
    ),
    "consent entries": (
        "found:consentEntries(where:$w){…}",
        "ConsentEntryWhere",
        [
            {},
            *each("id", "{of_contacts}", "{nobody}"),
            *each("ownerId", "{owner}"),
            *each("contactId", "{of_contacts}", "{nobody}"),
            *each("topicId", RARE, OFTEN, "{nobody}"),
            *each("action", "recorded", "withdrawn"),
            *times("createdAt"),
        ],
    ),
    "contacts": (
        "found:contacts(where:$w){…}",
        "ContactWhere",
        [
            {},
            *each("id", "{of_contacts}", "{nobody}"),
            *each("ownerId", "{owner}"),
            *each("externalId", "1", "nobody"),
            *each("address", FAR, "+14159999999"),
            *each("channel", "sms", "push", "email"),
            *each("locale", "fr", "de", "it"),
            {"name": {"contains": "rare"}},
            {"name": {"contains": "nobody"}},
            {"name": {"contains": "often name"}},
            *({"fields": [{"key": "city", "eq": value}]} for value in ("Rome", "Berlin", "Oslo")),
            {"fields": [{"key": "city", "in": ["Rome", "Oslo"]}]},
            {"fields": [{"key": "born", "gte": "1990-01-05"}]},
            {"fields": [{"key": "points", "gte": 10}]},
            *times("createdAt"),
        ],
    ),
}
