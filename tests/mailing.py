"""Mail in tests: what is due goes out at once, into Django's outbox, and keys are read there."""

import re

from django.core import mail

from players import mails, queries
from players.models import Player
from pyramid_site import clock
from tests.api.client import Client, Reply, claimed

ADDRESS = "eve@example.org"


def deliver() -> int:
    """Sends each mail that is due, as the worker does; how many went out."""
    due = [*queries.mails_due(clock.now()).values_list("pk", flat=True)]
    return sum(mails.send(mail_id=mail_id) for mail_id in due)


def ask(email: str = ADDRESS) -> Reply:
    """Asks for a new password."""
    return Client().post("/auth/reset", {"email": email})


def mailed_key(number: int = -1) -> str:
    """The key in the newest mail, or in another one."""
    found = re.search(r"^[\w-]{43}$", str(mail.outbox[number].body), re.MULTILINE)
    assert found
    return found[0]


def confirmed(name: str = "Eve Holt", email: str = ADDRESS) -> Client:
    """A player with a password and a confirmed address."""
    client = claimed(name)
    Player.objects.filter(pk=client.player["id"]).update(
        email=email, email_confirmed_at=clock.now()
    )
    return client
