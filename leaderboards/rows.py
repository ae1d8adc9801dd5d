"""The rows of a deal's boards, by statements that are written out.

They run at every look at a board, and the ORM takes longer to put them together than PostgreSQL
to run them. What a board does not need it does not join: neither ranks that are not written yet,
nor verdicts where nobody is disqualified.
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
    """A result on a board, with its player's name; the ranks are those of the seal."""

    attempt_id: UUID
    player_id: UUID
    name: str
    ranked_ms: int
    undo_count: int
    elapsed_ms: int
    ply: int
    finished_at: datetime
    rank: int | None
    clean_rank: int | None


@dataclass(frozen=True, slots=True)
class Rows:
    """The results on one board, or those of a group's members on it."""

    tally: Tally
    clean: bool
    group_id: UUID | None

    def beside(self, values: Sequence[Any] | None, backwards: bool, limit: int) -> list[Row]:
        """As `Keys.beside` reads rows."""
        if values is None:
            found = self._read("", (), backwards=False, limit=limit)
        else:
            ms, undos, player_id = values
            beyond = f"AND {ORDER} {'<' if backwards else '>'} (%s, %s, %s)"
            found = self._read(
                beyond, (ms, undos, uuids.stored(player_id)), backwards=backwards, limit=limit
            )
        return found[::-1] if backwards else found

    def of_player(self, player_id: UUID) -> Row | None:
        found = self._read(
            "AND result.player_id = %s", (uuids.stored(player_id),), backwards=False, limit=1
        )
        return found[0] if found else None

    def _read(
        self, condition: str, values: Sequence[Any], *, backwards: bool, limit: int
    ) -> list[Row]:
        final, judged = self.tally.final_at is not None, self.tally.barred > 0
        direction = "DESC" if backwards else "ASC"
        members = [] if self.group_id is None else [uuids.stored(self.group_id)]
        statement = f"""
            SELECT {COLUMNS}, {RANKS if final else "NULL, NULL"}
            FROM leaderboards_result AS result
            JOIN players_player AS player ON player.id = result.player_id
            {STANDING if final else ""} {MEMBERS if members else ""}
            WHERE result.deal_id = %s {condition}
            {"AND result.undo_count = 0" if self.clean else ""} {QUALIFIED if judged else ""}
            ORDER BY result.ranked_ms {direction}, result.undo_count {direction},
                     result.player_id {direction}
            LIMIT %s
        """  # noqa: S608 constants of this module
        with connection.cursor() as cursor:
            cursor.execute(statement, [*members, self.tally.pk, *values, limit])
            return [_row(row) for row in cursor.fetchall()]


ORDER = "(result.ranked_ms, result.undo_count, result.player_id)"
COLUMNS = """result.attempt_id, result.player_id, player.name, result.ranked_ms,
    result.undo_count, result.elapsed_ms, result.ply, result.finished_at"""
RANKS = "standing.rank, standing.clean_rank"
STANDING = """
LEFT JOIN leaderboards_standing AS standing ON standing.result_id = result.attempt_id"""
MEMBERS = """
JOIN leaderboards_membership AS member
    ON member.group_id = %s AND member.player_id = result.player_id"""
QUALIFIED = """
AND NOT COALESCE((SELECT verdict.disqualified FROM leaderboards_verdict AS verdict
                  WHERE verdict.result_id = result.attempt_id
                  ORDER BY verdict.number DESC LIMIT 1), FALSE)"""
TALLY = "key, version, overall, undo_free, barred, final_at"


def tally_of(deal_id: int) -> Tally:
    """The tally of a deal, one of nothing where there is none yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {TALLY} FROM leaderboards_tally WHERE deal_id = %s",  # noqa: S608
            [deal_id],
        )
        found = cursor.fetchone()
    return _tally(deal_id, *found) if found else Tally(deal_id=deal_id)


def placed(attempt_id: UUID) -> tuple[Tally, Row] | None:
    """A result that is on its board, and the tally of the same instant."""
    statement = f"""
        SELECT {TALLY}, result.deal_id, {COLUMNS}, {RANKS}
        FROM leaderboards_result AS result
        JOIN leaderboards_tally AS tally ON tally.deal_id = result.deal_id
        JOIN players_player AS player ON player.id = result.player_id
        {STANDING}
        WHERE result.attempt_id = %s {QUALIFIED}
    """  # noqa: S608 constants of this module
    with connection.cursor() as cursor:
        cursor.execute(statement, [uuids.stored(attempt_id)])
        found = cursor.fetchone()
    if found is None:
        return None
    *tally, deal_id = found[:7]
    return _tally(deal_id, *tally), _row(found[7:])


def _tally(deal_id: int, *values: Any) -> Tally:
    key, version, overall, undo_free, barred, final_at = values
    return Tally(
        deal_id=deal_id,
        key=key,
        version=version,
        overall=overall,
        undo_free=undo_free,
        barred=barred,
        final_at=final_at and clock.read(final_at),
    )


def _row(values: Sequence[Any]) -> Row:
    attempt_id, player_id, name, ms, undos, elapsed_ms, ply, finished_at, *ranks = values
    return Row(
        uuids.read(attempt_id), uuids.read(player_id), name, ms, undos, elapsed_ms, ply,
        clock.read(finished_at), *ranks,
    )  # fmt: skip
