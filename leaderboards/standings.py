"""Every write to the boards: recording a result, and making the results of a deal final."""

from datetime import datetime
from uuid import UUID

from django.db import connection

from leaderboards.models import Result


def record(
    *,
    attempt_id: UUID,
    deal_id: int,
    player_id: UUID,
    elapsed_ms: int,
    undo_count: int,
    undo_penalty_ms: int,
    ply: int,
    finished_at: datetime,
) -> None:
    """Puts a finished attempt on the board of its deal.

    Part of the transaction that ends the attempt, which keeps the deal from being sealed.
    """
    Result.objects.create(
        attempt_id=attempt_id,
        deal_id=deal_id,
        player_id=player_id,
        ranked_ms=elapsed_ms + undo_penalty_ms * undo_count,
        undo_count=undo_count,
        elapsed_ms=elapsed_ms,
        ply=ply,
        finished_at=finished_at,
    )


def finalize(*, deal_id: int) -> None:
    """Writes the final rank of each result of the deal, in one statement.

    The caller holds the lock that keeps further results away.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO leaderboards_standing (result_id, rank, clean_rank)
            SELECT attempt_id,
                   RANK() OVER (ORDER BY ranked_ms, undo_count),
                   CASE WHEN undo_count = 0 THEN
                       RANK() OVER (PARTITION BY undo_count = 0 ORDER BY ranked_ms, undo_count)
                   END
            FROM leaderboards_result
            WHERE deal_id = %s
            """,
            [deal_id],
        )
