"""What reaches the server as bytes (D, I): gunicorn as it is started, and no client in between."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from selectors import DefaultSelector
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from gunicorn.config import Config

from pyramid_site import gunicorn_worker
from pyramid_site.supervisor import came_up

HEAD = b"Host: localhost\r\nConnection: close\r\n"
PROMPT = 3  # s: far less than the time-outs that would let it through in the end
JSON = b"Content-Type: application/json\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of a server without a database: what is tested here is refused before it is asked."""
    environment = {
        **{name: value for name, value in os.environ.items() if name != "REDIS_URL"},
        "DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "DATABASE_URL": "sqlite:////nowhere/database",
        "THROTTLE_ADDRESS": "",
        "THROTTLE_NETWORK": "",
        "THROTTLE_SIGNUP": "",
        "WEB_CONCURRENCY": "1",
    }
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        command = f"-m gunicorn --bind=fd://{listener.fileno()} --threads=2 --no-control-socket"
        process = subprocess.Popen(
            [sys.executable, *command.split(), "--worker-class=pyramid_site.gunicorn_worker.Worker",
             "pyramid_site.wsgi"],
            cwd=settings.ROOT, env=environment, pass_fds=[listener.fileno()],
        )  # fmt: skip
    try:
        assert came_up(process, lambda: b" 200 " in sent(port, b"GET /healthz HTTP/1.1\r\n" + HEAD))
        yield port
    finally:
        process.terminate()
        process.wait()


def sent(port: int, head: bytes, body: bytes = b"") -> bytes:
    """All that is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(head + b"\r\n" + body)
        answered = []
        while received := connection.recv(65_536):
            answered.append(received)
        return b"".join(answered)


@contextmanager
def held(port: int, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections on which so much was sent, and no more."""
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), timeout=30)
            connections.append(stack.enter_context(connection))
            connection.sendall(sent)
        yield connections


def seconds_to_answer(port: int) -> float:
    """Of a request that asks nothing of anybody."""
    start = monotonic()
    assert b" 200 " in sent(port, b"GET /healthz HTTP/1.1\r\n" + HEAD)
    return monotonic() - start


def refusal(answer: bytes) -> tuple[int, str]:
    """Status and code of a problem; anything else fails."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    problem: Any = json.loads(body)
    assert head.startswith(f"HTTP/1.1 {problem['status']} ".encode())
    return problem["status"], problem["code"]


def post(headers: bytes) -> bytes:
    return b"POST /api/v1/players HTTP/1.1\r\n" + HEAD + JSON + headers


def get(target: bytes, headers: bytes = b"") -> bytes:
    return b"GET " + target + b" HTTP/1.1\r\n" + HEAD + headers


def test_d_a_body_in_chunks_is_not_taken_for_none(port: int) -> None:
    answer = sent(port, post(b"Transfer-Encoding: chunked\r\n"), b"2\r\n{}\r\n0\r\n\r\n")
    assert refusal(answer) == (400, "invalid_request")
    assert b"Content-Length" in answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("coding", [b"gzip", b"GZIP", b"deflate", b"br", b"identity, gzip", b"x"])
def test_d_a_compressed_body_is_refused(port: int, coding: bytes) -> None:
    head = post(b"Content-Encoding: " + coding + b"\r\nContent-Length: 2\r\n")
    assert refusal(sent(port, head, b"{}")) == (415, "unsupported_media_type")


def test_d_a_body_over_the_cap_is_refused_without_waiting_for_its_end(port: int) -> None:
    head = post(b"Content-Length: 1000000000\r\n")
    assert refusal(sent(port, head, b" " * 20_000)) == (413, "body_too_large")


@pytest.mark.parametrize(
    "headers",
    [b"Content-Length: 2\r\nContent-Length: 3\r\n", b"Content-Length: -1\r\n",
     b"Content-Length: 2x\r\n", b"Transfer-Encoding: gzip, chunked\r\n",
     b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"],
)  # fmt: skip
def test_d_two_lengths_or_none_that_counts_are_refused(port: int, headers: bytes) -> None:
    assert refusal(sent(port, post(headers), b"{}")) == (400, "invalid_request")


@pytest.mark.parametrize(
    "query",
    [b"limit=" + b"1" * 2_000, b"cursor=" + b"x" * 3_000, b"&".join([b"a"] * 1_500),
     b"limit=%ff", b"challenge=%ED%A0%80", b"challenge=%C3", b"challenge=\xff"],
)  # fmt: skip
def test_d_a_query_that_is_long_or_not_utf8_is_refused(port: int, query: bytes) -> None:
    assert refusal(sent(port, get(b"/api/v1/deals?" + query))) == (400, "invalid_request")


@pytest.mark.parametrize(
    "head",
    [
        get(b"/api/v1/deals?cursor=" + b"x" * 5_000),
        get(b"/api/v1/deals?cursor=" + b"x" * 70_000),
        get(b"/api/v1/deals", b"X-Long: " + b"x" * 9_000 + b"\r\n"),
        get(b"/api/v1/deals", b"X-Many: x\r\n" * 101),
        get(b"/api/v1/\xff"),
        get(b"/api/v1/deals", b"No colon\r\n"),
        get(b"/api/v1/deals", b"X-Null: \0\r\n"),
        b"GET /api/v1/deals HTTP/9.9\r\n" + HEAD,
        b"nonsense\r\n",
    ],
    ids=range(9),
)
def test_i_what_gunicorn_itself_refuses_has_the_one_shape(port: int, head: bytes) -> None:
    assert refusal(sent(port, head)) == (400, "invalid_request")


@pytest.mark.parametrize(
    "target",
    [b"/api/v1/%00", b"/api/v1/%ff", b"/api/v1/%C3%28", b"/api/v1/..%2f..%2fadmin",
     b"/api/v1/nothing%2Fhere", b"/api/v1/%2e%2e/me", b"/api/v1//me", b"/api/v1/me%0d%0aX-Odd:1"],
)  # fmt: skip
def test_d_an_odd_path_is_not_found(port: int, target: bytes) -> None:
    answer = sent(port, get(target))
    assert refusal(answer) == (404, "not_found")
    assert b"\r\nX-Odd" not in answer


def test_d_a_method_in_a_header_is_not_looked_at(port: int) -> None:
    override = (
        b"X-HTTP-Method-Override: DELETE\r\nX-HTTP-Method: DELETE\r\nX-Method-Override: PUT\r\n"
    )
    assert refusal(sent(port, get(b"/api/v1/me", override))) == (401, "not_authenticated")


def test_d_no_client_says_under_which_address_the_server_lies(port: int) -> None:
    """Or what a proxy keeps from strangers would be reached by another address."""
    for header in (b"SCRIPT_NAME: /x\r\n", b"Script_Name: /x\r\n", b"PATH_INFO: /healthz\r\n"):
        assert refusal(sent(port, get(b"/x/healthz", header))) == (404, "not_found")


def test_d_a_body_of_a_get_is_not_looked_at(port: int) -> None:
    for headers, body in ((JSON, b"{"), (b"Content-Type: text/html\r\n", b"<"), (b"", b"x")):
        head = get(b"/api/v1/me", headers + b"Content-Length: 1\r\n")
        assert refusal(sent(port, head, body)) == (401, "not_authenticated")


HALVES = {
    "nothing": b"",
    "a byte": b"G",
    "half a line": b"GET /healthz HT",
    "half a head": b"GET /healthz HTTP/1.1\r\n" + HEAD,
    "no body": post(b"Content-Length: 100\r\n") + b"\r\n",
    "half a body": post(b"Content-Length: 100\r\n") + b'\r\n{"name": ',
    "half a body of a page": b"POST /admin/login/ HTTP/1.1\r\n" + HEAD
    + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nx=",
    "half a body that is too large": post(b"Content-Length: 50000\r\n") + b"\r\n[",
    "half a chunk": post(b"Transfer-Encoding: chunked\r\n") + b"\r\n64\r\n{",
    "a chunk of a body that nobody reads": b"POST /healthz HTTP/1.1\r\nHost: localhost\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n64\r\n{",
    "a request, and no end": b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a request, and half another": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
    "what is no HTTP": b"nonsense\r\n\r\n",
}  # fmt: skip


@pytest.mark.parametrize("half", HALVES)
def test_d_what_comes_half_or_idles_keeps_nobody_waiting(port: int, half: str) -> None:
    with held(port, 20, HALVES[half]):
        assert max(seconds_to_answer(port) for _ in range(3)) < PROMPT


def test_d_a_request_that_trickles_in_keeps_nobody_waiting(port: int) -> None:
    request = post(b"Content-Length: 20\r\n") + b"\r\n" + b" " * 20
    with held(port, 20, request[:-40]) as connections:
        for at in range(len(request) - 40, len(request) - 1):
            for connection in connections:
                connection.sendall(request[at : at + 1])
            assert seconds_to_answer(port) < PROMPT


def test_d_a_request_that_trickles_in_is_answered(port: int) -> None:
    request = post(b"Content-Length: 2\r\n") + b"\r\n[]"
    with held(port, 1, b"") as [connection]:
        for byte in request:
            connection.sendall(bytes([byte]))
        assert refusal(b"".join(iter(lambda: connection.recv(65_536), b""))) == (
            400, "invalid_request",
        )  # fmt: skip


def test_d_connections_that_say_nothing_more_are_closed(port: int) -> None:
    with ExitStack() as stack:
        for [connection] in [stack.enter_context(held(port, 1, half)) for half in HALVES.values()]:
            with suppress(ConnectionResetError):
                while connection.recv(65_536):
                    pass


@contextmanager
def unread(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Connections that ask for more than fits on the way, twice, and read none of it for now."""
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = stack.enter_context(socket.socket())
            connection.settimeout(30)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            connection.connect(("127.0.0.1", port))
            schema = b"GET /api/v1/schema HTTP/1.1\r\nHost: localhost\r\n"
            connection.sendall(schema + b"\r\n" + schema + b"Connection: close\r\n\r\n")
            connections.append(connection)
        yield connections


def test_d_replies_that_nobody_reads_keep_nobody_waiting(port: int) -> None:
    with unread(port, 6):
        assert max(seconds_to_answer(port) for _ in range(3)) < PROMPT


def test_d_a_reply_that_is_read_late_is_whole_and_so_is_the_next(port: int) -> None:
    whole = sent(port, get(b"/api/v1/schema")).partition(b"\r\n\r\n")[2]
    assert len(whole) > 100_000
    with unread(port, 1) as [connection]:
        assert seconds_to_answer(port) < PROMPT
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert [part.partition(b"\r\n\r\n")[2] for part in answer.split(b"HTTP/1.1 200 OK\r\n")] == [
        b"", whole, whole,
    ]  # fmt: skip


def test_d_of_replies_that_nobody_reads_the_first_is_given_up_for_the_last() -> None:
    """What waits to be sent is bounded in all."""
    loop = gunicorn_worker.Worker(0, 0, [], None, 1, Config(), None)
    loop.poller = DefaultSelector()
    with ExitStack() as stack:
        stack.callback(loop.poller.close)
        stack.callback(loop.tmp.close)
        pairs = [[stack.enter_context(end) for end in socket.socketpair()] for _ in range(3)]
        for ours, _ in pairs:
            ours.setblocking(False)
            reply = gunicorn_worker.Outgoing(ours)
            reply.sendall(bytes(gunicorn_worker.MOST_UNSENT * 2 // 5))
            loop.await_reader(SimpleNamespace(sock=ours, outgoing=reply), Future())
        first, second, third = (it.outgoing.unsent for it in loop.pending_conns)
        assert not first
        assert second
        assert third
        while pairs[0][1].recv(65_536):  # to its end
            pass


def test_d_requests_that_come_together_are_answered_in_turn(port: int) -> None:
    one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    body = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nGET /"
    answer = sent(port, one + body + one + b"GET /readyz HTTP/1.1\r\n" + HEAD)
    statuses = [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [200, 403, 200, 503]


def test_d_what_follows_a_body_that_was_not_read_is_no_request(port: int) -> None:
    head = post(b"Content-Length: 50000\r\n").replace(b"Connection: close\r\n", b"")
    with held(port, 1, head + b"\r\n") as [connection]:
        answer = connection.recv(65_536)
        with suppress(OSError):
            connection.sendall(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n")
        answer += b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.count(b"HTTP/1.1 ") == 1
    assert refusal(answer) == (413, "body_too_large")


@pytest.mark.parametrize("chunk", [b"0;a=\n\r\n\r\n", b"x\r\n", b"1\r\n{}", b"0\r\nA b: c\r\n\r\n"])
def test_d_a_bad_chunk_that_nobody_reads_brings_no_second_answer(port: int, chunk: bytes) -> None:
    head = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
    assert sent(port, head, chunk).split(b"\r\n")[0] == b"HTTP/1.1 403 Forbidden"
    assert sent(port, head, chunk + b"GET / HTTP/1.1\r\n" + HEAD).count(b"HTTP/1.1 ") == 1


def test_d_a_client_that_asks_before_it_sends_is_told_to_go_on(port: int) -> None:
    head = post(b"Content-Length: 2\r\nExpect: 100-continue\r\n") + b"\r\n"
    with held(port, 1, head) as [connection]:
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"[]")
        rest = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert refusal(rest.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")) == (
        400, "invalid_request",
    )  # fmt: skip


def test_d_a_head_of_many_long_fields_is_refused(port: int) -> None:
    fields = b"".join(b"X-%d: %s\r\n" % (number, b"x" * 8_000) for number in range(50))
    assert refusal(sent(port, get(b"/api/v1/deals", fields))) == (400, "invalid_request")


@pytest.mark.parametrize(
    "content_type",
    [b"application/json; a*=nope''b", b"a/b; x*1*=u''b; x*=c''d'e", b"text/plain; charset=hex",
     b"text/plain; charset=idna", b"application/json; a=\"" + b";" * 8_000],
)  # fmt: skip
def test_d_a_content_type_that_breaks_its_parser_is_refused(port: int, content_type: bytes) -> None:
    for target in (b"/healthz?a=%41", b"/api/v1/deals?limit=1", b"/admin/login/?next=%41"):
        answer = sent(port, get(target, b"Content-Type: " + content_type + b"\r\n"))
        assert refusal(answer) == (400, "invalid_request")


@pytest.mark.parametrize("path", [b"/", b"/admin/login/", b"/healthz", b"/api/v1/players", b"/x"])
def test_d_a_body_too_large_is_refused_by_its_head(port: int, path: bytes) -> None:
    parts = b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 150000000\r\n"
    head = b"POST " + path + b" HTTP/1.1\r\n" + HEAD + parts
    assert refusal(sent(port, head)) == (413, "body_too_large")
