"""The products that ran here, and the patterns."""

from killtest.adapters.bullmq import BullMq
from killtest.adapters.celery import Celery, CeleryLate
from killtest.adapters.kannel import Kannel
from killtest.adapters.port import Adapter
from killtest.adapters.post_office import PostOffice
from killtest.adapters.postern import (
    PosternHttp,
    PosternProject,
    PosternSingle,
    PosternSmpp,
    PosternSmppSessions,
)
from killtest.adapters.postfix import Postfix

_ALL: tuple[type[Adapter], ...] = (
    PosternSingle, PosternProject, PosternSmpp, PosternSmppSessions, PosternHttp,
    Postfix, PostOffice, Kannel,
    Celery, CeleryLate, BullMq,
)  # fmt: skip
ADAPTERS: dict[str, type[Adapter]] = {adapter.name: adapter for adapter in _ALL}
