"""Stores the outcomes of the requests to one endpoint, in batches, and decides when the endpoint has to wait."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from core.tasks import end
from db.query import Reads
from engine.webhooks import backoff, claim_queries, delivery_queries
from engine.webhooks.call import Answer
from engine.webhooks.claim_queries import EndpointClaim
from engine.webhooks.delivery_queries import Accepted, EndpointState, Failed, Item
from engine.webhooks.event_buffer import EventBuffer
from runtime.database_errors import translate
from runtime.retry import until_done

log = structlog.get_logger("postern.webhooks")

BATCH = 100  # outcomes that are stored at once
FLUSH = 0.05  # seconds that an accepted event waits for others
FAILED_FLUSH = 0.25  # seconds that a failed one does, while the others go on: it costs a statement of its own
RETRY_SECONDS = 60.0  # seconds that outcomes are remembered while the database is away


class Outcomes:
    """Collects the outcomes of an endpoint's requests.

    A failed event delays its own thread. The endpoint waits as a whole after `backoff.DOWN_AFTER` failures in a row, if
    it asked for a pause (Retry-After), and for good if it answers 410.
    """

    def __init__(
        self,
        db: Reads,
        clock: backoff.Clock,
        claim: EndpointClaim,
        buffer: EventBuffer,
        changed: Callable[[], None],
        lost: Callable[[], None],
    ) -> None:
        """`changed` is called after outcomes were stored, `lost` if that was impossible."""
        self._db, self._clock, self._claim, self._buffer = db, clock, claim, buffer
        self._changed, self._lost = changed, lost
        self.failures = claim.failures  # failed requests in a row
        self.is_down = claim.failures >= backoff.DOWN_AFTER  # until a success is stored
        self.delivered_at: datetime | None = None
        self.status: int | None = None
        self._error: str | None = None
        self._asked_until: datetime | None = None  # the end of a pause that the receiver asked for
        self._gone = False
        self._refused = False  # the endpoint is down, and not only since an earlier claim
        self._accepted: list[Accepted] = []  # that are not yet stored
        self._failed: list[Failed] = []  # that are not yet stored
        self._failing: set[str] = set()  # their threads
        self._accepted_since = self._failed_since = 0.0
        self._stored_failures = claim.failures
        self._saving: asyncio.Task[None] | None = None
        self._is_logged = False  # a claim logs its first failure, and whether the endpoint has to wait

    @property
    def must_wait(self) -> bool:
        """Returns whether no further request may be made."""
        return self._gone or self._refused or self._asked_until is not None

    @property
    def waiting(self) -> bool:
        """Returns whether outcomes wait to be stored."""
        return bool(self._accepted or self._failed)

    @property
    def saving(self) -> bool:
        """Returns whether outcomes are being stored."""
        return self._saving is not None

    @property
    def is_full(self) -> bool:
        """Returns whether enough outcomes wait for one batch."""
        return len(self._accepted) >= BATCH

    @property
    def failing(self) -> set[str]:
        """Returns the threads with a failure that is not yet stored, and whose events must not be read."""
        return self._failing

    def accept(self, items: Sequence[Item], moment: datetime, answer: Answer) -> None:
        """Notes that the endpoint has accepted these events."""
        if not self._accepted:
            self._accepted_since = asyncio.get_running_loop().time()
        self.failures, self._refused, self._error = 0, False, None
        self.delivered_at, self.status = moment, answer.status
        self._accepted += [Accepted(item, moment, answer) for item in items]
        self._buffer.accept(items)

    def refuse(self, items: Sequence[Item], answer: Answer, *, for_good: bool = False) -> None:
        """Notes that a request with these events failed, which is one failure, and drops the events behind them.

        Of each thread the first event waits. `for_good`: every other request would fail, too.
        """
        if not self._failed:
            self._failed_since = asyncio.get_running_loop().time()
        now, factor = self._clock(), backoff.jitter()
        was_down = self.is_down
        self.failures += 1
        if for_good:
            self.failures = max(self.failures, backoff.DOWN_AFTER)
        self._refused = self._refused or self.failures >= backoff.DOWN_AFTER
        # A host of status callbacks has many URLs: one that is gone says nothing of the others.
        self._gone = self._gone or (answer.status == 410 and not self._claim.is_callback)
        self._error, self.status = answer.error, answer.status
        if not self._is_logged:
            self._is_logged = True
            self._log("a webhook failed", events=len(items))
        asked = backoff.asked_delay(answer, now)
        if asked:
            self._asked_until = max(now + asked, self._asked_until or now)
        first: dict[str, Item] = {}
        for item in items:
            first.setdefault(item.thread, item)
        for item in first.values():
            # That the endpoint is down says nothing about an event, nor does a refused request with others.
            failures = item.failures if was_down else 1 if len(items) > 1 else item.failures + 1
            pause = timedelta() if was_down else backoff.delay(failures, factor)
            self._failed.append(Failed(item, failures, now + max(pause, asked or pause), answer))
        self._failing.update(first)
        self._buffer.drop_threads(items)

    def save(self, *, now: bool = False) -> None:
        """Stores outcomes in batches; while one is written, the next one collects."""
        if not self.waiting or self._saving is not None:
            return
        time = asyncio.get_running_loop().time()
        is_due = bool(self._accepted) and (self.is_full or time >= self._accepted_since + FLUSH)
        is_failed_due = bool(self._failed) and time >= self._failed_since + FAILED_FLUSH
        if now or is_due or is_failed_due:
            accepted, self._accepted = self._accepted, []
            failed: list[Failed] | None = None
            if now or is_failed_due or not self._failed or self.failures >= backoff.DOWN_AFTER:
                failed, self._failed = self._failed, []
            self._saving = asyncio.create_task(self._store(accepted, failed))

    async def _store(self, accepted: Sequence[Accepted], failed: Sequence[Failed] | None) -> None:
        """Stores these outcomes. `failed` None: the failures, and how many there were in a row, are stored later."""
        db, claim = self._db, self._claim

        async def write() -> None:
            if self.is_down and self.delivered_at is not None:
                await delivery_queries.store_recovered(db, claim, self.status, self.delivered_at)
                self._stored_failures = 0
            if accepted:
                await delivery_queries.store_accepted(db, claim, accepted)
            if failed is None:
                return
            # If the endpoint has to wait, `release` stores the failures together with the time.
            failures = self._stored_failures if self.must_wait else self.failures
            if failed or failures != self._stored_failures:
                state = EndpointState(failures, self._error, self.status, self.delivered_at)
                await delivery_queries.store_outcomes(db, claim, state, failed)
                self._stored_failures = failures

        try:
            await until_done(write, seconds=RETRY_SECONDS)
            self.is_down = self.is_down and self.delivered_at is None
            self._buffer.forget([delivery.item for delivery in accepted])
            self._failing.difference_update(delivery.item.thread for delivery in failed or ())
        except Exception as error:  # the events stay, and are delivered again under the same ids
            log.warning(
                "outcomes of a webhook could not be stored",
                webhook=str(claim.webhook_id),
                events=len(accepted) + len(failed or ()),
                error=type(error).__name__,
                exc_info=translate(error) is None,
            )
            self._lost()
        finally:
            self._saving = None
            self._changed()

    async def cancel(self) -> None:
        """Ends a write that is under way."""
        if self._saving is not None:
            await end([self._saving])

    async def release(self) -> None:
        """Gives back the claim of an endpoint that must wait. Everything else is stored."""
        now = self._clock()
        failures = self.failures
        if not self.is_down:  # requests that were under way when it was found to be down are no probes
            failures = min(failures, backoff.DOWN_AFTER)
        next_at = self._asked_until or now
        if failures >= backoff.DOWN_AFTER:
            next_at = max(next_at, now + backoff.down_delay(failures, backoff.jitter()))
        await claim_queries.release_failed(
            self._db,
            self._claim,
            failures=failures,
            next_at=next_at,
            error=self._error,
            delivered_at=self.delivered_at,
            status=self.status,
            disabled_reason="it answered 410 Gone" if self._gone else None,
        )
        self._log("a webhook waits", seconds=round((next_at - now).total_seconds()))

    def _log(self, event: str, **more: int) -> None:
        webhook, failures = str(self._claim.webhook_id), self.failures
        log.info(event, webhook=webhook, failures=failures, status=self.status, error=self._error, **more)
