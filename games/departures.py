"""A player's departure, from all that there is."""

from uuid import UUID

from django.db import transaction

from leaderboards import groups
from players import accounts


@transaction.atomic
def delete(*, player_id: UUID) -> None:
    """Forgets who the player was, and takes it out of its groups. What was played stays in place.

    Raises Refusal `not_found`.
    """
    groups.leave_all(player_id=player_id)
    accounts.delete(player_id=player_id)
    groups.leave_all(player_id=player_id)  # one joined just before
