"""Sending Projects: bulk runs (contract §3)."""

from enum import StrEnum


class ProjectChannel(StrEnum):
    """How the messages of a project leave."""

    sms = "sms"
    email = "email"
    push = "push"
    telegram = "telegram"
    whatsapp = "whatsapp"


class ProjectStatus(StrEnum):
    """Where a project is; every move stands in postern/project_states.py and docs/states.md."""

    draft = "draft"
    scheduled = "scheduled"
    running = "running"
    paused = "paused"
    stopped = "stopped"
    finished = "finished"
    deleted = "deleted"


class PauseReason(StrEnum):
    """Why a project is paused; it goes on by itself when the cause is gone."""

    no_sender_online = "no_sender_online"
    balance_used_up = "balance_used_up"
    tariff_used_up = "tariff_used_up"
    provider_refuses_credentials = "provider_refuses_credentials"
    owner_suspended = "owner_suspended"


class OnMissingVariable(StrEnum):
    """What becomes of a recipient who lacks a variable that the text names."""

    skip = "skip"
    empty = "empty"


class Preparation(StrEnum):
    """What the engine still has to do to a project before (or beside) sending."""

    freeze = "freeze"  # make a message of every recipient
    retry = "retry"  # put the failed ones in the queue again
    cancel = "cancel"  # it was deleted: cancel what is queued
