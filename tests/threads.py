"""Calls at the very same time, in threads that have connections of their own."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Barrier
from time import monotonic
from typing import Any, TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The answers of calls that start together, each in a thread of its own."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait(timeout=30)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(partial(with_a_connection, run), calls))


def in_a_loop(coroutine: Coroutine[Any, Any, T], *, within: float) -> T:
    """Its result within so many s, in a thread of its own: a browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(coroutine, within)).result()


def with_a_connection(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a thread does with a connection of its own, which it leaves closed."""
    try:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '20s'")  # so that a fault does not hang
        return call(*arguments)
    finally:
        connection.close()


@contextmanager
def meanwhile(call: Callable[[], Any]) -> Iterator[Future[Any]]:
    """A call in another thread, which has come to wait for a lock when the block begins."""
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(with_a_connection, call)
        deadline = monotonic() + 30
        while not (answer.done() or somebody_waits_for_a_lock()):
            assert monotonic() < deadline
        yield answer


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction would see the first again
        cursor.execute(
            "SELECT 1 FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone() is not None
