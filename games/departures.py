"""Delete players on request, and clear away those who never played."""

from uuid import UUID

from django.db import transaction

from games import queries
from leaderboards import groups
from players import accounts
from players.queries import lock_to_remove
from pyramid_site import clock


@transaction.atomic
def delete(*, player_id: UUID) -> None:
    """Anonymise the player and leave its groups. Results stay on their boards.

    Raises Refusal `not_found`.
    """
    groups.leave_all(player_id=player_id)
    accounts.delete(player_id=player_id)
    groups.leave_all(player_id=player_id)  # one joined just before


@transaction.atomic
def clear_away(*, player_id: UUID) -> bool:
    """Remove a player who has never played; False if the player starts to play meanwhile."""
    row = lock_to_remove(player_id)
    if not queries.idle_players(clock.now()).filter(pk=player_id).exists():
        return False
    row.delete()
    return True
