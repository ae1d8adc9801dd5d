"""Results that were there before the changes of a board had numbers."""

from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from leaderboards.models import Result, Tally
from pyramid_site import append_only
from tests import builders
from tests.boards.table import around, players
from tests.conftest import Database, SimulatedClock

pytestmark = pytest.mark.core


def test_the_results_of_old_databases_get_their_numbers_and_tallies(
    committed_db: Database, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    sealed = builders.publish_short(day=builders.DAY.replace(day=29))
    ids = players(3)
    executor = MigrationExecutor(connection)
    executor.migrate([("leaderboards", "0003_results_append_only")])
    target = ("leaderboards", "0003_results_append_only")
    old = MigrationExecutor(connection).loader.project_state(
        [target, ("games", "0003_append_only")]
    )
    results = old.apps.get_model("leaderboards", "Result")
    for number, (player, deal_id) in enumerate(
        [(ids[0], deal.pk), (ids[1], deal.pk), (ids[2], deal.pk), (ids[0], sealed.pk)]
    ):
        clock.advance(ms=-1)  # the last one that is stored was the first to finish
        results.objects.create(
            attempt_id=uuid4(), deal_id=deal_id, player_id=player, ranked_ms=1000 + number,
            undo_count=number % 2, elapsed_ms=1000 + number, ply=30, finished_at=clock.instant,
        )  # fmt: skip
    old.apps.get_model("games", "Seal").objects.create(
        deal_id=sealed.pk, sealed_at=clock.instant, players=1, cleared=1
    )

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    numbers = Result.objects.filter(deal=deal).order_by("number")
    assert list(numbers.values_list("number", "player")) == [
        (1, ids[2]), (2, ids[1]), (3, ids[0])
    ]  # fmt: skip
    tallies = Tally.objects.order_by("deal").values_list(
        "deal", "version", "overall", "undo_free", "final_at"
    )
    assert list(tallies) == [
        (deal.pk, 3, 3, 2, None),
        (sealed.pk, 2, 1, 0, clock.instant),
    ]
    assert append_only.check_triggers(databases=["default"]) == []
    assert around(deal, ids[1]).ranks == [1, 2, 3]
