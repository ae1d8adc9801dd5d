"""The key that shows that a mail address is the player's own."""

from uuid import UUID

from django.db import transaction

from players import queries
from players.models import Mail, MailKind, Player
from pyramid_site import clock
from pyramid_site.refusals import Refusal


@transaction.atomic
def confirm(*, player_id: UUID, key: str) -> None:
    """The address that the player gave is confirmed, which others who gave it do not learn.

    A key belongs to an address and not to one account, so that nobody can use up the few mails that
    may go to somebody else's. Raises Refusal `invalid_credentials` for a key that was not mailed to
    the player's address, was used, or is too old.
    """
    email = queries.player(player_id).email
    claimants = {it.pk: it for it in queries.lock_claimants_of(email)} if email else {}
    recipient = queries.digest(email)
    taken = any(it.email_confirmed for it in claimants.values())
    mailed = queries.living_keys(MailKind.CONFIRM, key).filter(recipient=recipient)
    if player_id not in claimants or taken or not mailed.exists():
        raise Refusal("invalid_credentials", "The key is unknown, used already, or too old.")
    Player.objects.filter(pk=player_id).update(email_confirmed_at=clock.now())
    Mail.objects.filter(kind=MailKind.CONFIRM, recipient=recipient).delete()
