"""Read the rows of a deal's boards by hand-written SQL.

They run at every look at a board, and the ORM takes longer to put them together than PostgreSQL
to run them. Each is one statement, so that what it reads is of one instant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from leaderboards.models import Tally
from pyramid_site import clock, uuids


class Row(NamedTuple):
    """A result on a board, with its player's name; the ranks are those of the seal, if read."""

    attempt_id: UUID
    player_id: UUID
    ranked_ms: int
    undo_count: int
    elapsed_ms: int
    ply: int
    finished_at: datetime
    name: str
    rank: int | None
    clean_rank: int | None


class Found(NamedTuple):
    """Rows just before and after an anchor, in order, and the tally from the same snapshot.

    Without any row there is no tally either.
    """

    tally: Tally | None
    before: list[Row]
    after: list[Row]


class Include(NamedTuple):
    """Optional parts of a read, each of which takes time."""

    final: bool
    """Join the final ranks."""
    judged: bool
    """Look up disqualifications, and leave these results out."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The results on one board, or those of a group's members on it."""

    deal_id: int
    clean: bool
    group_id: UUID | None

    def beside(
        self, values: Sequence[Any] | None, include: Include, *, before: int, after: int
    ) -> Found:
        """Return rows on each side of these key values, or the first ones."""
        if values is None:
            return self._found([self._side("", [], after, include)], include)
        key = [*values[:2], uuids.stored(values[2])]
        sides = []
        if before:
            condition = f"AND {ORDER} < (%s, %s, %s)"
            sides.append(self._side(condition, key, before, include, backwards=True))
        if after:
            condition = f"AND {ORDER} > (%s, %s, %s)"
            sides.append(self._side(condition, key, after, include))
        return self._found(sides, include)

    def around(self, player_id: UUID, include: Include, *, before: int, after: int) -> Found:
        """Return rows before a player's and from it on; the player may be on no board."""
        key = [self.deal_id, uuids.stored(player_id)]
        backwards = self._side(f"AND {ORDER} < {OWN}", key, before, include, backwards=True)
        return self._found(
            [backwards, self._side(f"AND {ORDER} >= {OWN}", key, after, include)], include
        )

    def _side(
        self,
        condition: str,
        key: list[Any],
        limit: int,
        include: Include,
        *,
        backwards: bool = False,
    ) -> tuple[str, list[Any]]:
        direction = "DESC" if backwards else "ASC"
        statement = f"""
            SELECT * FROM (
                SELECT {RESULT}, {-1 if backwards else 1} AS side
                FROM leaderboards_result AS result
                {MEMBERS if self.group_id else ""}
                WHERE result.deal_id = %s {"AND result.undo_count = 0" if self.clean else ""}
                    {condition} {QUALIFIED if include.judged else ""}
                ORDER BY result.ranked_ms {direction}, result.undo_count {direction},
                    result.player_id {direction}
                LIMIT %s
            ) AS one_side
        """  # noqa: S608 constants of this module
        members = [uuids.stored(self.group_id)] if self.group_id else []
        return statement, [*members, self.deal_id, *key, limit]

    def _found(self, sides: list[tuple[str, list[Any]]], include: Include) -> Found:
        statement = f"""
            SELECT side, {TALLY}, {RESULT}, player.name, {RANKS if include.final else "NULL, NULL"}
            FROM ({" UNION ALL ".join(side for side, _ in sides)}) AS result
            JOIN players_player AS player ON player.id = result.player_id
            {STANDING if include.final else ""}
            JOIN leaderboards_tally AS tally ON tally.deal_id = %s AND NOT tally.void
        """  # noqa: S608 constants of this module
        values = [value for _, values in sides for value in values]
        with connection.cursor() as cursor:
            cursor.execute(statement, [*values, self.deal_id])
            found = cursor.fetchall()
        # An outer query promises no order, and where ids are texts, they sort as the ids do.
        found.sort(key=lambda row: (row[10], row[11], row[9]))
        before = [_row(row[8:]) for row in found if row[0] < 0]
        after = [_row(row[8:]) for row in found if row[0] > 0]
        return Found(_tally(found[0][1:8]) if found else None, before, after)


ORDER = "(result.ranked_ms, result.undo_count, result.player_id)"
OWN = """(SELECT ranked_ms, undo_count, player_id FROM leaderboards_result
          WHERE deal_id = %s AND player_id = %s)"""
TALLY = """tally.deal_id, tally.key, tally.version, tally.overall, tally.clean_results,
    tally.disqualified, tally.final_at"""
RESULT = """result.attempt_id, result.player_id, result.ranked_ms, result.undo_count,
    result.elapsed_ms, result.ply, result.finished_at"""
RANKS = "standing.rank, standing.clean_rank"
STANDING = "LEFT JOIN leaderboards_standing AS standing ON standing.result_id = result.attempt_id"
MEMBERS = """
JOIN leaderboards_membership AS member
    ON member.group_id = %s AND member.player_id = result.player_id"""
LAST_VERDICT = """(SELECT verdict.disqualified FROM leaderboards_verdict AS verdict
    WHERE verdict.result_id = result.attempt_id ORDER BY verdict.number DESC LIMIT 1)"""
QUALIFIED = f"AND NOT COALESCE({LAST_VERDICT}, FALSE)"
# Subqueries, which are planned more quickly than joins.
RANK = "(SELECT rank FROM leaderboards_standing WHERE result_id = result.attempt_id)"
PLACED = """
SELECT {verdict}, {tally}, {result},
    (SELECT name FROM players_player WHERE id = result.player_id), {rank}, NULL
FROM leaderboards_result AS result
JOIN leaderboards_tally AS tally ON tally.deal_id = result.deal_id AND NOT tally.void
WHERE result.attempt_id = %s
"""


def placed(attempt_id: UUID) -> tuple[Tally, Row] | None:
    """Return a result on its board with its overall rank, and the tally from the same snapshot.

    The tally says whether there is more to read than what most results have: in one statement
    again, or the parts would be of two instants.
    """
    found = _placed(attempt_id, Include(final=False, judged=False))
    if found is not None and (found[0].disqualified or found[0].final_at):
        return _placed(attempt_id, Include(final=True, judged=True))
    return found


def _placed(attempt_id: UUID, include: Include) -> tuple[Tally, Row] | None:
    statement = PLACED.format(
        verdict=LAST_VERDICT if include.judged else "NULL",
        rank=RANK if include.final else "NULL",
        tally=TALLY,
        result=RESULT,
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [uuids.stored(attempt_id)])
        found = cursor.fetchone()
    if found is None or found[0]:
        return None
    return _tally(found[1:8]), _row(found[8:])


def tally_of(deal_id: int) -> Tally:
    """Return the tally of a deal, an empty one if there is none yet."""
    return Tally.objects.filter(pk=deal_id).first() or Tally(deal_id=deal_id)


def _tally(values: Sequence[Any]) -> Tally:
    deal_id, key, version, overall, clean_results, disqualified, final_at = values
    return Tally(
        deal_id=deal_id,
        key=key,
        version=version,
        overall=overall,
        clean_results=clean_results,
        disqualified=disqualified,
        final_at=final_at and clock.read(final_at),
    )


def _row(values: Sequence[Any]) -> Row:
    attempt_id, player_id, ms, undos, elapsed_ms, ply, finished_at, *rest = values
    return Row(
        uuids.read(attempt_id), uuids.read(player_id), ms, undos, elapsed_ms, ply,
        clock.read(finished_at), *rest,
    )  # fmt: skip
