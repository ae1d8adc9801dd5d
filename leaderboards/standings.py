"""Every write to a deal's boards: results, final ranks and verdicts."""

from datetime import datetime
from uuid import UUID, uuid4

from django.db import connection, transaction

from leaderboards import periods, queries
from leaderboards.models import Result, Verdict
from pyramid_site import clock
from pyramid_site.audit_log import Staff as Staff
from pyramid_site.refusals import Refusal, not_found


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
    """Record a cleared attempt on its deal's boards.

    Part of the transaction that ends the attempt, which keeps the deal from being sealed. Other
    finishes of the deal wait until it ends: their changes are numbered without a gap.
    """
    with connection.cursor() as cursor:
        cursor.execute(ONE_MORE, [deal_id, uuid4().hex, int(undo_count == 0)])
        number: int = cursor.fetchone()[0]
    Result.objects.create(
        attempt_id=attempt_id,
        deal_id=deal_id,
        number=number,
        player_id=player_id,
        ranked_ms=elapsed_ms + undo_penalty_ms * undo_count,
        undo_count=undo_count,
        elapsed_ms=elapsed_ms,
        ply=ply,
        finished_at=finished_at,
    )


ONE_MORE = """
INSERT INTO leaderboards_tally AS tally
    (deal_id, key, version, overall, clean_results, disqualified)
VALUES (%s, %s, 1, 1, %s, 0)
ON CONFLICT (deal_id) DO UPDATE
SET version = tally.version + 1, overall = tally.overall + 1,
    clean_results = tally.clean_results + EXCLUDED.clean_results
RETURNING version
"""


def finalize(*, deal_id: int, at: datetime) -> None:
    """Write the final ranks of a deal in one statement.

    The caller holds the lock that keeps further results away. The disqualified are ranked with
    the others: so a verdict, whenever it comes, changes no row.
    """
    tally = queries.lock_tally(deal_id)
    tally.version += 1
    tally.final_at = at
    tally.save()
    with connection.cursor() as cursor:
        cursor.execute(RANKS, [deal_id])


RANKS = """
INSERT INTO leaderboards_standing (result_id, rank, clean_rank)
SELECT attempt_id,
       RANK() OVER (ORDER BY ranked_ms, undo_count),
       CASE WHEN undo_count = 0 THEN
           RANK() OVER (PARTITION BY undo_count = 0 ORDER BY ranked_ms, undo_count)
       END
FROM leaderboards_result
WHERE deal_id = %s
"""


@transaction.atomic
def void(*, deal_id: int) -> None:
    """Remove all results of a void deal from all boards, including later ones.

    Part of the transaction that voids the deal.
    """
    tally = queries.lock_tally(deal_id)
    tally.version += 1
    tally.void = True
    tally.save()
    periods.forget(deal_id=deal_id)


def disqualify(*, attempt_id: UUID, by: Staff, why: str) -> None:
    """Disqualify a result. Raises Refusal `not_found`, `invalid_request`."""
    _judge(attempt_id, disqualified=True, by=by, why=why)


def reinstate(*, attempt_id: UUID, by: Staff, why: str) -> None:
    """Reinstate a disqualified result. Raises Refusal `not_found`, `invalid_request`."""
    _judge(attempt_id, disqualified=False, by=by, why=why)


@transaction.atomic
def _judge(attempt_id: UUID, *, disqualified: bool, by: Staff, why: str) -> None:
    """Append a verdict and update the ranks of the day and its periods."""
    result = Result.objects.filter(pk=attempt_id).first()
    if result is None:
        raise not_found("result")
    if not why.strip():
        raise Refusal("invalid_request", "A verdict has a reason.")
    tally = queries.lock_tally(result.deal_id)
    last = Verdict.objects.filter(result=result).order_by("-number").first()
    if disqualified == (last is not None and last.disqualified):
        state = "disqualified" if disqualified else "on its boards"
        raise Refusal("invalid_request", f"The result is {state} already.")
    change = -1 if disqualified else 1
    tally.version += 1
    tally.overall += change
    tally.clean_results += change if result.undo_count == 0 else 0
    tally.disqualified -= change
    tally.save()
    Verdict.objects.create(
        deal_id=result.deal_id,
        number=tally.version,
        result=result,
        disqualified=disqualified,
        by_id=by.id,
        by_name=by.name,
        why=why,
        at=clock.now(),
    )
    periods.revise(result=result, change=change)
