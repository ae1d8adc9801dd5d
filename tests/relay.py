"""A mail server of the tests' own, on a port of this machine that was free."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

from pytest_django import Settings


@dataclass
class Relay:
    """What it answers to a recipient, and what it has taken in."""

    recipient: str = "250 OK"
    silent: bool = False
    mails: list[str] = field(default_factory=list)
    called: Event = field(default_factory=Event)
    done: Event = field(default_factory=Event)


@contextmanager
def running(settings: Settings, relay: Relay) -> Iterator[Relay]:
    """The server that mail goes out by; one that is `silent` says nothing until the block ends."""

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            relay.called.set()
            if relay.silent:
                relay.done.wait(60)
                return
            self.say("220 relay")
            while line := self.rfile.readline().decode().strip():
                command = line.upper()
                if command == "DATA":
                    self.say("354 go on")
                    relay.mails.append("".join(self.data()))
                    self.say("250 taken")
                elif command == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say(relay.recipient if command.startswith("RCPT") else "250 OK")

        def data(self) -> Iterator[str]:
            while (line := self.rfile.readline().decode()) != ".\r\n":
                yield line

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever)
        thread.start()
        settings.EMAIL_URL = "smtp://relay"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        try:
            yield relay
        finally:
            relay.done.set()
            server.shutdown()
            thread.join()
