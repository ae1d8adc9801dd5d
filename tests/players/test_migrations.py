"""Names that were there before look-alikes were told apart."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from players import lookalikes
from pyramid_site import clock
from tests.conftest import Database

pytestmark = pytest.mark.core


def migrate(name: str) -> MigrationExecutor:
    executor = MigrationExecutor(connection)
    executor.migrate([("players", name)])
    return MigrationExecutor(connection)


def test_of_players_who_look_alike_already_both_stay(committed_db: Database) -> None:
    states = migrate("0001_initial").loader.project_state(("players", "0001_initial"))
    player = states.apps.get_model("players", "Player")
    names = ["Ada", "\u0410da", "Ad\u0430", "Ben"]
    for name in names:
        player.objects.create(name=name, name_key=name, joined_at=clock.now())

    states = migrate("0004_claims").loader.project_state(("players", "0004_claims"))
    player = states.apps.get_model("players", "Player")
    kept = {it.name: it.skeleton for it in player.objects.all()}
    assert sorted(kept) == sorted(names)
    assert len(set(kept.values())) == 4
    assert kept["Ada"] == "ada"
    assert kept["Ben"] == lookalikes.skeleton("Ben")
    assert kept["\u0410da"].startswith("ada\n")
