"""gunicorn's worker, in the API's own words, and its log, in the format of all others."""

import json
import logging.config
import math
import re
import socket
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from time import monotonic
from typing import Any

from gunicorn.glogging import Logger
from gunicorn.http import RequestParser
from gunicorn.http.errors import LimitRequestHeaders, ParseException
from gunicorn.workers.gthread import ThreadWorker

from pyramid_site import settings

MARKED_EVERY = 60.0  # s between two marks of one process
TRIED_EVERY = 5.0  # s, while they fail
READING = 10  # s for a request to come in, from its first byte to its last
SENDING = READING  # s for the next part of a reply to go out; one list holds both, in order of time
MOST_UNSENT = 32 * 1024 * 1024  # bytes of replies that wait; then the first to wait is given up
LONGEST_HEAD = 32 * 1024  # bytes
LONGEST_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # bytes; what is longer is not read at all
LONGEST_REST = 64 * 1024  # bytes that are read, and thrown away, after a refusal
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r\n", re.IGNORECASE)
EXPECT = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class Log(Logger):  # type: ignore[misc] # gunicorn has no types
    """Requests are logged by the application, which knows more of them."""

    access_log_enabled = False

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        logging.config.dictConfig(settings.LOGGING)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


class Incoming:
    """The bytes of a request, as far as they have come."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.size: int | None = None  # of head and body, once the head is here
        self.waits = False  # for a word of the server before it sends the body

    def take(self, data: bytes) -> bool:
        """Adds what came; whether the request can be answered without any more of it."""
        searched = max(0, len(self.received) - 3)
        self.received += data
        if self.size is None:
            end = self.received.find(b"\r\n\r\n", searched) + 4
            if end < 4:
                return len(self.received) > LONGEST_HEAD
            head = self.received[:end]
            length = CONTENT_LENGTH.search(head)
            body = int(length[1]) if length else 0
            self.size = end + (body if body <= LONGEST_BODY else 0)
            self.waits = bool(EXPECT.search(head))
        return len(self.received) >= self.size


class Outgoing:
    """A socket as a thread writes to it, which never waits: what does not go out is kept."""

    def __init__(self, client: socket.socket) -> None:
        self.client = client
        self.unsent = bytearray()

    def sendall(self, data: bytes) -> None:
        self.unsent += data
        self.go_on()

    send = sendall

    def go_on(self) -> None:
        """Sends what goes out now. Raises OSError where the other side is gone."""
        with suppress(BlockingIOError):
            while self.unsent:
                del self.unsent[: self.client.send(self.unsent)]

    def give_up(self) -> None:
        """Cuts it off; the loop, which may be about to write to it, closes it."""
        self.unsent.clear()
        with suppress(OSError):
            self.client.shutdown(socket.SHUT_RDWR)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """Takes in each request as a whole before a thread has to do with it, and sends what is left.

    In gunicorn's own worker a thread waits for what a client has not sent yet or does not read, and
    the loop of all connections waits for a client to hang up. Here a thread waits for no socket,
    and what is refused without a page of HTML is what is no HTTP, or too much of it.

    It marks each minute that one can play: as one more request to the threads that answer players.
    """

    marking: "Future[None] | None" = None
    next_mark = -math.inf  # by the monotonic clock

    def notify(self) -> None:
        """Called about once a second, and first before any request is taken."""
        super().notify()
        under_way = self.marking is not None and not self.marking.done()
        if self.alive and not under_way and monotonic() >= self.next_mark:
            self.next_mark = monotonic() + MARKED_EVERY
            self.marking = self.tpool.submit(self.mark)

    def mark(self) -> None:
        from django.db import connection  # not before the application is loaded

        from pyramid_site import outages
        from pyramid_site.isolation import impatient

        try:
            with impatient():
                outages.mark()
        except Exception as error:
            self.log.warning("That one can play could not be marked: %s", type(error).__name__)
            self.next_mark = monotonic() + TRIED_EVERY
        finally:
            connection.close()

    def enqueue_req(self, conn: Any) -> None:
        """Called by gunicorn for a connection that is new, or from which more has come."""
        rest = conn.parser.unreader.take_buffered() if conn.parser else b""
        conn.initialized = True  # gunicorn would begin by waiting for the first byte
        conn.incoming, conn.outgoing = Incoming(), Outgoing(conn.sock)
        if conn.incoming.take(rest):
            self.hand_over(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = monotonic() + READING
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:
        data = received(client)
        if data is None:
            return
        if data and not conn.incoming.take(data):
            if conn.incoming.waits:
                conn.incoming.waits = False
                with suppress(OSError):
                    client.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            return
        self.stop_waiting(conn)
        if data:
            self.hand_over(conn)
        else:
            self.drop(conn)

    def stop_waiting(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.pending_conns.remove(conn)

    def drop(self, conn: Any) -> None:
        self.nr_conns -= 1
        conn.close()

    def hand_over(self, conn: Any) -> None:
        """To a thread, for which the request ends where what has come of it does."""
        conn.parser = RequestParser(self.cfg, [bytes(conn.incoming.received)], conn.client)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        if conn.incoming.size is None:
            self.handle_error(None, conn.sock, conn.client, LimitRequestHeaders("too long"))
            return False
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        conn.sock.setblocking(False)
        conn.sock = conn.outgoing
        try:
            return super().handle_request(req, conn)
        finally:
            conn.sock = conn.outgoing.client

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        """Not where more was asked for than had come: what comes next is no request.

        Nor after a body that nobody read and that is no HTTP: its request has been answered.
        """
        with suppress(ParseException, OSError):
            kept = super()._keepalive_after(conn, keepalive)
            return kept and conn.parser.unreader.iter is not None
        return False

    def finish_request(self, conn: Any, future: Any) -> None:
        if conn.outgoing.unsent and conn.sock.fileno() >= 0:
            self.await_reader(conn, future)
        elif future.cancelled() or future.exception() or future.result():
            super().finish_request(conn, future)
        else:
            self.part_from(conn)

    def await_reader(self, conn: Any, future: Any) -> None:
        """Sends the rest of a reply as it is read; the loop closes what is not read in time."""
        conn.timeout = monotonic() + SENDING
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_WRITE, partial(self.on_writable, conn, future))
        waiting = [it for it in self.pending_conns if it.outgoing.unsent]
        if sum(len(it.outgoing.unsent) for it in waiting) > MOST_UNSENT:
            waiting[0].outgoing.give_up()

    def on_writable(self, conn: Any, future: Any, client: socket.socket) -> None:
        self.stop_waiting(conn)
        try:
            conn.outgoing.go_on()
        except OSError:
            self.drop(conn)
        else:
            self.finish_request(conn, future)

    def part_from(self, conn: Any) -> None:
        """Says that no more comes, and reads on a little: unread bytes would cut off the reply."""
        conn.rest = LONGEST_REST
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.drop(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.keepalived_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_parting_readable, conn))

    def on_parting_readable(self, conn: Any, client: socket.socket) -> None:
        data = received(client)
        if data is None:
            return
        conn.rest -= len(data)
        if not data or conn.rest < 0:
            self.poller.unregister(client)
            self.keepalived_conns.remove(conn)
            self.drop(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """When it is stopped it waits no longer for what has not come than for a next request."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        from pyramid_site.api import problems  # not before the application is loaded

        detail = "The request line or the headers are too long, or no HTTP."
        body = json.dumps(problems.problem("invalid_request", detail))
        head = (
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
            f"Content-Type: {problems.MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with suppress(OSError):
            client.sendall((head + body).encode())


def received(client: socket.socket) -> bytes | None:
    """What has come; nothing where the other side has ended, None where it was a false alarm."""
    try:
        return client.recv(64 * 1024)
    except BlockingIOError:
        return None
    except OSError:
        return b""
