"""How the rule sets of the engine come to be challenges: by a data migration."""

from dataclasses import asdict

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.state import StateApps
from django.db.models import Max

from games.engine import rulesets


def offer(*ids: str) -> RunPython:
    """Return the migration operation that adds challenges for these rule sets, last in the lists.

    A challenge that exists stays as it is: its title, penalty and pause are the operator's.
    Raises KeyError for an id that the engine does not have.
    """

    def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        known = {it.id: it for it in rulesets.OFFERED}
        for rule_set in [known[it] for it in ids]:
            _add(apps, rule_set)

    return RunPython(add, RunPython.noop)


def _add(apps: StateApps, rule_set: rulesets.RuleSet) -> None:
    challenges = apps.get_model("games", "Challenge").objects
    if challenges.filter(pk=rule_set.id).exists():
        return
    last = challenges.aggregate(last=Max("list_order"))["last"] or 0
    rules = asdict(rule_set.rules)
    challenges.create(pk=rule_set.id, title=rule_set.title, list_order=last + 1, **rules)
    target = apps.get_model("games", "WeekdayTarget")
    target.objects.bulk_create(
        target(challenge_id=rule_set.id, weekday=weekday, difficulty=difficulty)
        for weekday, difficulty in enumerate(rule_set.week)
    )
