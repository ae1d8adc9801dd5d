"""A line between client and server that breaks where it is told to."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import NamedTuple


class Break(NamedTuple):
    """After so much of the request, or of the reply, in parts of a whole (1 is all of it).

    When the request breaks off the server's reply is not waited for.
    """

    request: float = 1
    reply: float = 1


WHOLE = Break()
POINTS = [Break(request=0), Break(request=0.3), Break(request=0.99), Break(reply=0),
          Break(reply=0.01), Break(reply=0.5), Break(reply=0.99)]  # fmt: skip
"""Nothing sent; the head cut off; the body cut off; nothing, too little, or half answered."""


class Proxy:
    """Passes one request and its reply on for each connection; `breaks` says how each ends."""

    def __init__(self, server: int, breaks: Callable[[], Break]) -> None:
        self.server = server
        self.breaks = breaks
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self.listener.accept()
                Thread(target=self.pass_on, args=(client, self.breaks()), daemon=True).start()

    def pass_on(self, client: socket.socket, ends: Break) -> None:
        with client, suppress(OSError):
            request = whole_request(client)
            with socket.create_connection(("127.0.0.1", self.server)) as server:
                server.sendall(request[: int(len(request) * ends.request)])
                if ends.request == 1:
                    reply = b"".join(iter(lambda: server.recv(65_536), b""))
                    client.sendall(reply[: int(len(reply) * ends.reply)])


def whole_request(client: socket.socket) -> bytes:
    """Head and body; its length is told by Content-Length, and there is no other after it."""
    received = b""
    while True:
        head, end, body = received.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if end and len(body) >= (int(length[1]) if length else 0):
            return received
        more = client.recv(65_536)
        if not more:
            return received
        received += more


@contextmanager
def proxy(server: int, breaks: Callable[[], Break]) -> Iterator[Proxy]:
    line = Proxy(server, breaks)
    try:
        yield line
    finally:
        line.listener.close()
