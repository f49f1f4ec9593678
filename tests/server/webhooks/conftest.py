"""Fixtures for tests of webhooks: a receiver, and a player whose webhook it is."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from pleasance.server.store.store import Store
from server.webhooks.harness import Harness, open_webhook
from server.webhooks.receiver import Receiver, receive


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """Start a server that receives webhooks."""
    async with receive() as receiver:
        yield receiver


@pytest.fixture
async def hook(store: Store, receiver: Receiver) -> Harness:
    """Insert Ada with a webhook at the receiver."""
    hook = await open_webhook(store, receiver.url())
    hook.receiver = receiver
    return hook
