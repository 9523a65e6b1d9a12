"""A process whose clock is wrong answers requests like any other: tokens, links, times to start and to end."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from core.tokens import AccessTokens, InvalidToken
from postern.app import make_app
from runtime import links
from runtime.workers import Reporter
from tests.auth.doors import BOTH, Auth
from tests.sending_projects.conftest import Projects, projects
from tests.support.shifted import shift

__all__ = ["projects"]
WRONG = (1.0, -1.0, 25.0)
HALF = timedelta(minutes=30)
FILE = "01912345-0000-7000-8000-000000000000.csv"


async def test_a_process_knows_the_time_before_its_first_request(make_settings):
    made = make_app(make_settings())
    async with made.api.router.lifespan_context(made.api):
        assert not made.services.db._clock.stale


@pytest.mark.parametrize("hours", WRONG)
async def test_access_tokens_are_the_same_everywhere(client, ada, services, settings, monkeypatch, hours):
    auth = Auth(client)
    before, _ = await auth.tokens(ada.email)
    shift(monkeypatch, hours)
    services.tokens._cache.clear()
    for door in BOTH:
        assert await auth.me(before, door) is None
    during, _ = await auth.tokens(ada.email)
    monkeypatch.undo()
    AccessTokens(settings).read(during)  # a process whose clock is right
    services.tokens._cache.clear()
    assert await auth.me(during) is None


def test_an_access_token_ends_by_the_clock_that_it_is_given(make_settings):
    at = [1_790_000_000.0]
    tokens = AccessTokens(make_settings(), lambda: at[0])
    token = tokens.issue(UUID(int=1), UUID(int=2), 1)
    at[0] += tokens.lifetime - 1
    assert tokens.read(token).version == 1
    at[0] += 1
    with pytest.raises(InvalidToken):
        tokens.read(token)


@pytest.mark.parametrize("hours", WRONG)
async def test_signed_links_open_as_long_as_they_say(services, monkeypatch, hours):
    def opens(url):
        parameters = {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}
        return links.opens(services, FILE, int(parameters["expires"]), parameters["signature"], None)

    before = links.file_url(services, FILE, None)
    shift(monkeypatch, hours)
    assert opens(before)
    during = links.file_url(services, FILE, None)
    monkeypatch.undo()
    expires = int(parse_qs(urlsplit(during).query)["expires"][0])
    left = expires - datetime.now(UTC).timestamp()
    assert abs(left - services.settings.link_seconds) < 60


@pytest.mark.parametrize(
    ("hours", "start", "status"),
    [(1.0, HALF, "scheduled"), (-1.0, -HALF, "running"), (25.0, HALF, "scheduled")],
)
async def test_a_project_begins_at_the_database_s_time(
    ada, projects: Projects, services, monkeypatch, hours, start, status
):
    at = (datetime.now(UTC) + HALF).isoformat()
    project = await projects.make(ada, recipients=1, startAt=at)
    await services.db.fetch(
        "UPDATE sending_projects SET start_at = now() + $2 WHERE id = $1", UUID(project), start
    )
    shift(monkeypatch, hours)
    started = await ada.rest("POST", f"/sending-project/start/{project}")
    assert (started.status_code, started.json()["status"]) == (200, status)


@pytest.mark.parametrize(("hours", "end", "code"), [(1.0, HALF, None), (-1.0, -HALF, "validation_failed")])
async def test_an_api_token_s_end_is_in_the_database_s_future(client, ada, monkeypatch, hours, end, code):
    shift(monkeypatch, hours)
    ends = (datetime.now(UTC) + end).isoformat()
    done = await Auth(client).call(
        "graphql", "createApiToken", {"name": "x", "expiresAt": ends}, token=ada.token
    )
    assert done.code == code
    if code:
        assert done.message == "expiresAt: must be in the future"


async def test_today_s_use_of_a_tariff_ends_with_the_database_s_day(ada, services, monkeypatch):
    shift(monkeypatch, 25)
    answer = (await ada.rest("GET", "/user/tariff")).json()
    resets_at = answer["used"]["resetsAt"]
    tomorrow = await services.db.fetchval(
        "SELECT date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day'"
    )
    assert datetime.fromisoformat(resets_at).replace(tzinfo=None) == tomorrow


async def test_a_worker_was_seen_at_the_database_s_time(admin, services, monkeypatch):
    shift(monkeypatch, 25)
    await Reporter(services.store, "host-a:1", clock=lambda: services.db.now().timestamp()).report()
    answer = (await admin.rest("GET", "/queue/statistics")).json()
    (worker,) = answer["workers"]
    monkeypatch.undo()
    seen = datetime.fromisoformat(worker["lastSeenAt"])
    assert abs(datetime.now(UTC) - seen) < timedelta(minutes=1)
