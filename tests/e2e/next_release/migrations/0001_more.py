"""Columns of which the release before knows nothing, an index, and a table."""

from django.db import migrations

ADD = [
    "ALTER TABLE games_attempt ADD COLUMN remark text",
    "ALTER TABLE games_attempt ADD COLUMN mood integer NOT NULL DEFAULT 0",
    "ALTER TABLE games_loggedmove ADD COLUMN remark text",
    "ALTER TABLE games_dailydeal ADD COLUMN remark text",
    "ALTER TABLE players_player ADD COLUMN mood integer NOT NULL DEFAULT 0",
    "ALTER TABLE leaderboards_result ADD COLUMN mood integer NOT NULL DEFAULT 0",
    "CREATE TABLE next_release_more (id bigserial PRIMARY KEY)",
    "CREATE INDEX CONCURRENTLY next_release_mood ON games_attempt (mood)",
]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("games", "0001_initial"),
        ("leaderboards", "0001_initial"),
        ("players", "0001_initial"),
    ]
    operations = [migrations.RunSQL(statement) for statement in ADD]
