"""The week rises from the first challenges' easier days to their hard ones."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

EASY, MEDIUM, HARD, EXPERT = "easy", "medium", "hard", "expert"
WEEKS = {  # Monday first
    "one-pass": [MEDIUM] * 3 + [HARD] * 3 + [EXPERT],
    "three-pass": [EASY] * 2 + [MEDIUM] * 2 + [HARD] * 2 + [EXPERT],
    "full-clear": [EASY] * 2 + [MEDIUM] * 2 + [HARD] * 2 + [EXPERT],
    "double": [EASY] * 4 + [MEDIUM] * 3,
}


def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    target = apps.get_model("games", "WeekdayTarget")
    offered = apps.get_model("games", "Challenge").objects
    for challenge, week in WEEKS.items():
        if offered.filter(pk=challenge).exists():  # an operator may have taken one away
            for weekday, difficulty in enumerate(week):
                target.objects.create(
                    challenge_id=challenge, weekday=weekday, difficulty=difficulty
                )


class Migration(migrations.Migration):
    dependencies = [("games", "0002_challenges")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
