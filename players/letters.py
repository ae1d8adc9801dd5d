"""What the mails say. No word of it is a player's: a stranger may have given the address."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Any

from django.core import mail
from django.core.mail.utils import DNS_NAME

from players.models import MailKind


@dataclass(frozen=True, slots=True)
class Letter:
    """The text of a kind of mail, and how long the key in it can be used."""

    life: timedelta
    subject: str
    words: str


LETTERS = {
    MailKind.RESET: Letter(
        life=timedelta(hours=1),
        subject="A new password for Pyramid Daily",
        words="""\
Someone, perhaps you, asked for a new password for your Pyramid Daily account.

Enter this code to set it. It works once, until {until} UTC:

{key}

If it was not you, ignore this email: the old password stays as it is.
""",
    ),
    MailKind.CONFIRM: Letter(
        life=timedelta(days=1),
        subject="Confirm your address for Pyramid Daily",
        words="""\
Someone, perhaps you, gave this address for a Pyramid Daily account.

If it was you, sign in there and enter this code before {until} UTC:

{key}

If it was not you, ignore this email: without the code the address is not used.
""",
    ),
}


def write(*, kind: MailKind, to: str, key: str, until: datetime) -> mail.EmailMessage:
    """The mail with a key. Raises ValueError for what the standard library takes for no address."""
    letter = LETTERS[kind]
    words = letter.words.format(key=key, until=f"{until:%Y-%m-%d %H:%M}")
    return _Mail(letter.subject, words, to=[Address(addr_spec=to).addr_spec])


class _Mail(mail.EmailMessage):
    """Django's, with headers built by the standard library's policy and not its legacy API."""

    def message(self, *, policy: Any = SMTP) -> Any:
        built = _Wire(policy=policy)
        built["Subject"], built["From"], built["To"] = self.subject, self.from_email, self.to
        built["Date"], built["Message-ID"] = formatdate(), make_msgid(domain=str(DNS_NAME))
        built["Auto-Submitted"] = "auto-generated"
        built.set_content(self.body)
        return built


class _Wire(message.EmailMessage):
    """A message whose bytes Django's backends can ask for: they name the end of a line."""

    def as_bytes(self, unixfrom: bool = False, linesep: str = "\r\n") -> bytes:  # type: ignore[override]
        return super().as_bytes(unixfrom, policy=self.policy.clone(linesep=linesep))
