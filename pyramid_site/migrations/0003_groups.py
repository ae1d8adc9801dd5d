"""The groups that every installation starts with, each with the least that its work needs."""

from django.apps import apps as installed
from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

GROUPS = {
    "deal editor": [
        "games.view_challenge", "games.change_challenge", "games.pause_challenge",
        "games.view_weekdaytarget", "games.add_weekdaytarget", "games.change_weekdaytarget",
        "games.delete_weekdaytarget",
        "games.view_dailydeal", "games.view_dealmaking", "games.view_dealorder", "games.view_seal",
        "games.view_voiding", "games.write_deal", "games.remake_deal", "games.void_deal",
        "pyramid_site.view_heartbeat",
    ],
    "moderator": [
        "games.view_challenge", "games.view_dailydeal", "games.view_seal", "games.view_voiding",
        "games.view_attempt", "games.view_loggedmove", "games.disqualify_attempt",
        "leaderboards.view_result", "leaderboards.view_standing", "leaderboards.view_verdict",
        "players.view_player", "players.rename_player", "players.lock_player",
        "pyramid_site.view_auditentry",
    ],
    "support": [
        "games.view_challenge", "games.view_dailydeal", "games.view_seal", "games.view_voiding",
        "games.view_attempt",
        "leaderboards.view_result", "leaderboards.view_standing", "leaderboards.view_verdict",
        "players.view_player", "players.view_token", "players.rename_player",
    ],
    "read-only": [
        "games.view_challenge", "games.view_weekdaytarget", "games.view_dailydeal",
        "games.view_dealmaking", "games.view_dealorder", "games.view_seal", "games.view_voiding",
        "games.view_attempt", "games.view_loggedmove",
        "leaderboards.view_result", "leaderboards.view_standing", "leaderboards.view_verdict",
        "leaderboards.view_tally", "leaderboards.view_countedday", "leaderboards.view_period",
        "leaderboards.view_periodscore",
        "players.view_player",
        "pyramid_site.view_auditentry", "pyramid_site.view_heartbeat",
        "pyramid_site.view_outage",
    ],
}  # fmt: skip


def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # Django makes the permissions only when all migrations are done.
    for label in ("games", "leaderboards", "players", "pyramid_site"):
        create_permissions(installed.get_app_config(label), verbosity=0, apps=apps)
    permissions = {
        f"{it.content_type.app_label}.{it.codename}": it
        for it in apps.get_model("auth", "Permission").objects.select_related("content_type")
    }
    for name, granted in GROUPS.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(*(permissions[it] for it in granted))


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0001_initial"),
        ("leaderboards", "0001_initial"),
        ("players", "0001_initial"),
        ("pyramid_site", "0002_append_only"),
    ]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
